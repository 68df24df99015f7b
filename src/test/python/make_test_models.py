#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the small models of the project's tests and what is known about them.

Run with torch 2.10.0 (CPU is enough) from anywhere:
    python3 src/test/python/make_test_models.py
It writes src/test/resources/models/*.pt, exported.pt2 and expected.json. Two runs with the same
torch give the same bytes.

Every tensor holds one constant (weights 1/fan_in, biases 0) and archives are deflated, so that
each file is a few kilobytes. Models are scripted and in eval mode unless their comment says so.

expected.json: {"models": [{"file", "inputs", "params", "trainable_params", "buffers", "flops"}]}.
  inputs            one object per argument of forward: {"kind": "tensor", "shape", "dtype"}, or
                    {"kind": "dict", "items": {name: tensor}}
  params            elements of all distinct parameters (tied ones once; of a frozen graph, its
                    constants); trainable_params: those that require a gradient
  buffers           elements of the registered buffers
  flops             2 x multiply-accumulates of one forward, by arithmetic from the layer sizes;
                    elementwise operations, biases, normalisation, fft and solve count 0
All but "file" are null for state_dict.pt, which is no module.
"""
import io
import json
import os
import pathlib
import sys
import zipfile
from typing import Dict

import torch
import torch.nn.functional as F
from torch import Tensor, nn

OUT = pathlib.Path(__file__).resolve().parents[1] / "resources" / "models"


class Identity(nn.Module):
    def forward(self, x):
        return x


class TwoInputs(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(8, 4)

    def forward(self, a: Tensor, b: Tensor):
        return self.fc(a) + b


class Stateful(nn.Module):
    """Each forward changes the module: the n-th one (from 1) returns n times the first."""

    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(4, 4)
        self.register_buffer("steps", torch.zeros(1))

    def forward(self, x):
        self.steps.add_(1.0)
        return self.fc(x * self.steps)


class Lstm(nn.Module):
    def __init__(self):
        super().__init__()
        self.lstm = nn.LSTM(12, 16, num_layers=2, bidirectional=True, batch_first=True)

    def forward(self, x):
        return self.lstm(x)[0]


class Sdpa(nn.Module):
    def forward(self, x):
        return F.scaled_dot_product_attention(x, x, x)


class Tied(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Linear(16, 16)
        self.second = nn.Linear(16, 16)
        self.second.weight = self.first.weight
        self.second.bias = self.first.bias

    def forward(self, x):
        return self.second(torch.relu(self.first(x)))


class Tokens(nn.Module):
    """Refuses everything but int64 (aten::embedding alone would take int32 as well)."""

    def __init__(self):
        super().__init__()
        self.embedding = nn.Embedding(100, 16)
        self.head = nn.Linear(16, 100)

    def forward(self, tokens: Tensor):
        assert tokens.dtype == torch.int64, "tokens must be int64"
        return self.head(self.embedding(tokens))


class DictInput(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(8, 4)

    def forward(self, d: Dict[str, Tensor]):
        return self.fc(d["a"]) + d["b"]


class UnknownOp(nn.Module):
    """Two operators that compute, yet no FLOP rule names them: fft_rfft and linalg_solve."""

    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(4, 4)

    def forward(self, x):
        spectrum = torch.real(torch.fft.rfft(x))
        # The added diagonal keeps the system regular for whatever x a test makes up.
        solution = torch.linalg.solve(x + 8.0 * torch.eye(4), self.fc(x))
        return solution, spectrum


class Nan(nn.Module):
    """Infinite for every x but 0, NaN for 0: nowhere finite."""

    def forward(self, x):
        return x / 0


class Slow(nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.empty(256, 256))

    def forward(self, x):
        for _ in range(2000):
            x = torch.matmul(x, self.weight)
        return x


class Loop(nn.Module):
    """A layer as often as its second input says."""

    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(4, 4)

    def forward(self, x, steps):
        for _ in range(int(steps)):
            x = self.fc(x)
        return x


class Dtypes(nn.Module):
    """Nested results of many dtypes, a conjugated view, a transposed one, and a number."""

    def forward(self, x):
        return (x.double(), {"half": x.half(), "brain": x.to(torch.bfloat16)}, [x.long(), x.int(), x.short()],
                (x.to(torch.int8), x.to(torch.uint8), x > 1), 7, torch.complex(x, x).conj(), x.t())


class Positive(nn.Module):
    """The result has as many elements as x has positive ones."""

    def forward(self, x):
        return x[x > 0]


class Views(nn.Module):
    """Results that are not plain tensors of packed memory, but the last."""

    def forward(self, x):
        z = torch.complex(x, -x)
        return (z.conj(), torch.imag(z.conj()), z.t().conj(), torch._neg_view(z.conj()), z[:, 0:1].conj().expand(2, 3),
                x[:, 0:1].expand(2, 3), x[:, 1], z.sum().conj(), x[0:0], z[0:0].conj(), z.conj() * 2)


class Quantised(nn.Module):
    """Quantised results: transposed, and with a scale for each row."""

    def forward(self, x):
        scales = torch.tensor([0.5, 0.25], device=x.device)
        zeros = torch.tensor([0, 1], device=x.device)
        return (torch.quantize_per_tensor(x, 0.5, 1, torch.quint8).t(),
                torch.quantize_per_channel(x, scales, zeros, 0, torch.qint32))


class Sparse(nn.Module):
    """The result is sparse where x has a positive sum."""

    def forward(self, x):
        if bool(x.sum() > 0):
            return x.to_sparse_csr()
        return x


@torch.no_grad()
def fill(model):
    """Weights 1/fan_in, scales and variances 1, biases, means and counters 0."""
    for name, t in model.state_dict().items():
        if t.dim() > 1:
            t.fill_(1.0 / t[0].numel())
        else:
            t.fill_(1 if name.endswith(("running_var", "weight")) else 0)
    return model


@torch.no_grad()
def fill_distinct(model):
    """Another constant for each tensor, because freezing merges equal constants."""
    for i, t in enumerate(model.parameters()):
        t.fill_(0.01 * (i + 1))
    return model


def deflate(data, file):
    """Rewrites a PyTorch archive: compressed, no debug information, fixed names and timestamps."""
    with zipfile.ZipFile(io.BytesIO(data)) as src, zipfile.ZipFile(OUT / file, "w") as dst:
        root = src.namelist()[0].split("/", 1)[0]
        for name in src.namelist():
            if not name.endswith(".debug_pkl"):
                new_name = file.rsplit(".", 1)[0] + name[len(root):]
                info = zipfile.ZipInfo(new_name, (1980, 1, 1, 0, 0, 0))
                dst.writestr(info, src.read(name), zipfile.ZIP_DEFLATED, compresslevel=9)


def save_script(file, model, freeze=False):
    scripted = torch.jit.script(model)
    buffer = io.BytesIO()
    torch.jit.save(torch.jit.freeze(scripted) if freeze else scripted, buffer)
    deflate(buffer.getvalue(), file)


def tensor(*shape, dtype="float32"):
    return {"kind": "tensor", "shape": list(shape), "dtype": dtype}


def linear(n_in, n_out):
    """Parameters of a linear layer with bias."""
    return n_in * n_out + n_out


MODELS = []


def expect(file, inputs, params, trainable_params, buffers, macs):
    MODELS.append({"file": file, "inputs": inputs, "params": params,
                   "trainable_params": trainable_params, "buffers": buffers,
                   "flops": None if macs is None else 2 * macs})


def main():
    OUT.mkdir(parents=True, exist_ok=True)

    save_script("identity.pt", Identity().eval())
    expect("identity.pt", [tensor(2, 4)], 0, 0, 0, 0)

    save_script("two_inputs.pt", fill(TwoInputs().eval()))
    n = linear(8, 4)
    expect("two_inputs.pt", [tensor(2, 8), tensor(2, 4)], n, n, 0, 2 * 8 * 4)

    # Its layers quantise their input as they run, and have kernels on the CPU alone.
    mlp = fill(nn.Sequential(nn.Linear(64, 128), nn.ReLU(), nn.Linear(128, 10)).eval())
    save_script("int8_dynamic_mlp.pt", torch.ao.quantization.quantize_dynamic(mlp, {nn.Linear}))

    # Saved in training mode: a forward updates the running statistics unless eval() comes first.
    net = nn.Sequential(nn.Conv2d(3, 8, 3), nn.BatchNorm2d(8), nn.ReLU())
    save_script("bn_train.pt", fill(net.train()))
    n = 8 * 3 * 3 * 3 + 8 + 2 * 8
    expect("bn_train.pt", [tensor(2, 3, 16, 16)], n, n, 8 + 8 + 1, 2 * 8 * 14 * 14 * 3 * 3 * 3)

    save_script("stateful.pt", fill(Stateful().eval()))
    expect("stateful.pt", [tensor(2, 4)], linear(4, 4), linear(4, 4), 1, 2 * 4 * 4)

    # Two directions; the second layer reads both directions of the first, 2 x 16 values.
    save_script("lstm.pt", fill(Lstm().eval()))
    gates = 4 * 16
    n = 2 * (gates * (12 + 16) + 2 * gates) + 2 * (gates * (2 * 16 + 16) + 2 * gates)
    expect("lstm.pt", [tensor(2, 5, 12)], n, n, 0,
           2 * 5 * (2 * gates * (12 + 16) + 2 * gates * (2 * 16 + 16)))

    save_script("sdpa.pt", Sdpa().eval())
    expect("sdpa.pt", [tensor(1, 2, 8, 16)], 0, 0, 0, 1 * 2 * 8 * 8 * (16 + 16))

    save_script("tied.pt", fill(Tied().eval()))
    n = linear(16, 16)
    expect("tied.pt", [tensor(4, 16)], n, n, 0, 2 * (4 * 16 * 16))

    # Passed through torch.jit.freeze: the parameters have become constants of the graph.
    net = nn.Sequential(nn.Conv2d(3, 4, 3), nn.ConvTranspose2d(4, 2, 2, stride=2))
    save_script("frozen.pt", fill_distinct(net.eval()), freeze=True)
    expect("frozen.pt", [tensor(1, 3, 10, 10)], (4 * 3 * 3 * 3 + 4) + (4 * 2 * 2 * 2 + 2), 0, 0,
           (4 * 8 * 8) * 3 * 3 * 3 + (4 * 8 * 8) * 2 * 2 * 2)

    save_script("int64_tokens.pt", fill(Tokens().eval()))
    n = 100 * 16 + linear(16, 100)
    expect("int64_tokens.pt", [tensor(2, 6, dtype="int64")], n, n, 0, 2 * 6 * 16 * 100)

    save_script("dict_input.pt", fill(DictInput().eval()))
    n = linear(8, 4)
    expect("dict_input.pt", [{"kind": "dict", "items": {"a": tensor(2, 8), "b": tensor(2, 4)}}],
           n, n, 0, 2 * 8 * 4)

    save_script("unknown_op.pt", fill(UnknownOp().eval()))
    expect("unknown_op.pt", [tensor(4, 4)], linear(4, 4), linear(4, 4), 0, 4 * 4 * 4)

    # No parameter requires a gradient.
    save_script("half_frozen_params.pt", fill(nn.Linear(64, 64).eval().requires_grad_(False)))
    expect("half_frozen_params.pt", [tensor(2, 64)], linear(64, 64), 0, 0, 2 * 64 * 64)

    # Not a module: what torch.save makes of a state_dict.
    torch.save(fill(nn.Linear(4, 4)).state_dict(), OUT / "state_dict.pt")
    expect("state_dict.pt", None, None, None, None, None)

    # Not TorchScript: a torch.export program.
    program = torch.export.export(fill(nn.Linear(4, 4).eval()), (torch.ones(2, 4),))
    for node in program.graph.nodes:
        node.meta.pop("stack_trace", None)  # holds paths of this machine
    buffer = io.BytesIO()
    torch.export.save(program, buffer)
    deflate(buffer.getvalue(), "exported.pt2")
    expect("exported.pt2", [tensor(2, 4)], linear(4, 4), linear(4, 4), 0, 2 * 4 * 4)

    save_script("nan.pt", Nan().eval())
    expect("nan.pt", [tensor(2, 4)], 0, 0, 0, 0)

    # One forward takes about a second.
    save_script("slow.pt", fill(Slow().eval()))
    expect("slow.pt", [tensor(256, 256)], 256 * 256, 256 * 256, 0, 2000 * 256 * 256 * 256)

    # As often as an integer input's default value: not at all.
    save_script("loop.pt", fill(Loop().eval()))
    expect("loop.pt", [tensor(2, 4), tensor(dtype="int64")], linear(4, 4), linear(4, 4), 0, 0)

    # Not in expected.json: for what is done with outputs.
    save_script("dtypes.pt", Dtypes().eval())
    save_script("views.pt", Views().eval())
    save_script("quantised.pt", Quantised().eval())
    save_script("sparse.pt", Sparse().eval())
    save_script("positive.pt", Positive().eval())

    lines = ",\n".join("    " + json.dumps(m) for m in MODELS)
    (OUT / "expected.json").write_text('{\n  "models": [\n' + lines + "\n  ]\n}\n")


if __name__ == "__main__":
    if os.environ.get("PYTHONHASHSEED") != "0":  # the order of class constants depends on it
        os.execve(sys.executable, [sys.executable, *sys.argv], {**os.environ, "PYTHONHASHSEED": "0"})
    main()
