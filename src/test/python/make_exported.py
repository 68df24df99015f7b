"""Writes the torch.export archives that the tests of the room `exported` read, into the folder given (torch 2.10).

    python make_exported.py src/test/resources/exported

Weights are zeros, so that the archives stay small; `fold` alone keeps its own, and is there as TorchScript too. `old_layout.pt2` is a program of today in the layout and the schema that torch
2.5 wrote: its own zip, formulas instead of constructors, no kinds of arguments.
"""
import io
import json
import os
import re
import sys
import zipfile

import torch
from torch import nn
from torch.export import Dim, export, save

OUT = sys.argv[1]


def write(name, program, weights=False):
    buffer = io.BytesIO()
    save(program, buffer)
    with zipfile.ZipFile(buffer) as whole, zipfile.ZipFile(f"{OUT}/{name}.pt2", "w", zipfile.ZIP_DEFLATED) as small:
        for item in whole.namelist():
            if "sample_inputs" not in item:
                small.writestr(re.sub("^[^/]+", name, item), plain(item, whole.read(item), weights))


def plain(item, content, weights=False):
    """Without stack traces, which hold the paths of this machine, and with zeros for weights unless they are kept."""
    if not weights and re.search(r"data/(weights|constants)/[^.]*$", item):
        return bytes(len(content))
    if "/models/" not in item:
        return content
    program = json.loads(content)
    strip(program)
    return json.dumps(program)


def strip(value):
    for item in value.values() if isinstance(value, dict) else value if isinstance(value, list) else []:
        strip(item)
    if isinstance(value, dict) and "target" in value and "metadata" in value:
        value["metadata"] = {}


class Modes(nn.Module):
    """Tied weights, graphs in modes, a buffer that is written to, a constant, an argument that is no tensor."""

    def __init__(self):
        super().__init__()
        self.first, self.second = nn.Linear(8, 8), nn.Linear(8, 8)
        self.second.weight = self.first.weight
        self.register_buffer("count", torch.zeros(3))
        self.register_buffer("scratch", torch.zeros(3, 8), persistent=False)
        self.constant = torch.zeros(8)

    def forward(self, x, factor: int, *, extra):
        self.count.add_(1)
        with torch.no_grad():
            y = self.second(x["in"][0])
        with torch.autocast("cpu", dtype=torch.bfloat16):
            z = self.first(x["in"][1])
        return y * factor + self.constant, z, self.count + 1, extra + 1


class Branch(nn.Module):
    def __init__(self):
        super().__init__()
        self.a, self.b = nn.Linear(8, 8), nn.Linear(8, 8)

    def forward(self, x):
        return torch.cond(x.sum() > 0, lambda x: self.a(x), lambda x: self.b(x) * 2, [x])


class Dead(nn.Module):
    def __init__(self):
        super().__init__()
        self.unused = nn.Linear(8, 8)

    def forward(self, x):
        self.unused(x)
        return x + 1


class Derived(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(8, 8)

    def forward(self, x, y):
        return self.linear(x), torch.cat([x, x]) + y


class Counter(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("count", torch.zeros(3))

    def forward(self, x):
        self.count.add_(1)
        return x + self.count


class ChangesInput(nn.Module):
    def forward(self, x):
        x.add_(1)
        return x * 2


class ValueSized(nn.Module):
    def forward(self, x):
        return x.nonzero()


class Relu(nn.Module):
    def forward(self, x):
        return torch.relu(x)


class Numbers(nn.Module):
    """Takes numbers that sizes depend on: alone, and beside a tensor in a dict."""

    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(8, 8)

    def forward(self, rows, x, options):
        return self.linear(x[:rows]), x * options["times"] + options["shift"]


class Guarded(nn.Module):
    """Asks of its nested inputs what no range of a size says."""

    def forward(self, batch, pair):
        rgb, (first, second) = batch["rgb"], pair
        torch._check(rgb.shape[0] % 4 == 0)
        torch._check(first.shape[0] + second.shape[0] < rgb.shape[0])
        return rgb * 2, first * 2, second * 2


class Small(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(3, 4, 3, stride=2, padding=1)

    def forward(self, x):
        y = self.conv(x).relu_()
        return torch.cat([y.flatten(1), y.reshape(y.shape[0], -1)])


def old(program):
    """The JSON of torch 2.5: schema 7.3."""
    program["schema_version"] = {"major": 7, "minor": 3}
    for key in ("torch_version", "guards_code", "verifiers"):
        program.pop(key, None)
    program["dialect"] = "TRAINING"
    for node in program["graph_module"]["graph"]["nodes"]:
        node.pop("is_hop_single_tensor_return")
        node.pop("name", None)
        for argument in node["inputs"]:
            argument.pop("kind")
    for entry in program["graph_module"]["module_call_graph"]:
        if entry["signature"]:
            entry["signature"].pop("forward_arg_names")
    text = json.dumps(program)
    text = re.sub(r"Symbol\('(\w+)'[^)]*\)", r"\1", text)
    text = re.sub(r"Integer\((-?\d+)\)", r"\1", text)
    return re.sub(r"Mul\((\w+), (\w+)\)", r"\1*\2", text)


class Fold(nn.Module):
    """matmul folds the batch of a strided x into one product where w is to be trained, and rounds otherwise then."""

    def __init__(self):
        super().__init__()
        torch.manual_seed(3)
        self.w = nn.Parameter(torch.rand(64, 16) - 0.5)

    def forward(self, x):
        return torch.matmul(x.transpose(0, 1), self.w)


os.makedirs(OUT, exist_ok=True)
x = torch.zeros(4, 8)
write("modes", export(Modes().eval(), ({"in": (x, x)}, 3), {"extra": torch.zeros(2)}))
write("relu", export(Relu().eval(), (torch.zeros(4, 4),)))
write("branch", export(Branch().eval(), (x,)))
write("dead", export(Dead().eval(), (x,)))
rows = Dim("rows", min=2, max=100)
write("derived", export(Derived().eval(), (torch.zeros(3, 8), torch.zeros(6, 8)), dynamic_shapes={"x": {0: rows}, "y": {0: 2 * rows}}))
write("functional", export(Counter().eval(), (torch.zeros(3),)).run_decompositions())
write("changes_input", export(ChangesInput(), (torch.zeros(3),)))
write("changes_input_functional", export(ChangesInput(), (torch.zeros(3),)).run_decompositions())
write("numbers", export(Numbers().eval(), (3, torch.zeros(6, 8), {"times": 5, "shift": torch.zeros(8)}), dynamic_shapes={"rows": Dim.DYNAMIC, "x": None, "options": {"times": Dim.DYNAMIC, "shift": None}}))
write("guarded", export(Guarded().eval(), ({"rgb": torch.zeros(8, 3)}, [torch.zeros(2), torch.zeros(3)]), dynamic_shapes={"batch": {"rgb": {0: Dim.AUTO}}, "pair": [{0: Dim.AUTO}, {0: Dim.AUTO}]}))
fold = Fold().eval()
write("fold", export(fold, (torch.zeros(1, 8, 64),)), weights=True)
torch.jit.script(fold).save(f"{OUT}/fold.pt")
write("value_sized", export(ValueSized(), (x,)))

model = Small().eval()
program = export(model, (torch.zeros(2, 3, 8, 8),), dynamic_shapes={"x": {0: Dim("batch", min=1, max=64)}})
buffer = io.BytesIO()
save(program, buffer)
with zipfile.ZipFile(buffer) as whole:
    text = json.loads(plain("/models/", whole.read(next(n for n in whole.namelist() if "/models/" in n))))
with zipfile.ZipFile(f"{OUT}/old_layout.pt2", "w", zipfile.ZIP_DEFLATED) as archive:
    archive.writestr("version", "7.3")
    archive.writestr("serialized_exported_program.json", old(text))
    for name, content in (("state_dict", {k: torch.zeros_like(v) for k, v in model.state_dict().items()}), ("constants", {}), ("example_inputs", ((torch.zeros(2, 3, 8, 8),), {}))):
        pickled = io.BytesIO()
        torch.save(content, pickled)
        archive.writestr(f"serialized_{name}.pt", pickled.getvalue())
