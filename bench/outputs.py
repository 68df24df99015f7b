#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares what `rpx-agent run` gives with what Python gives for the same inputs, for each model file of a folder.

    bench/outputs.py MODELS_DIR [--heavy] [--only PART]

Python needs torch and numpy. A difference is the largest of an output, over the largest size of a number in it.
Inputs are those of MODELS_DIR/expected.json where it names the file (see counts.py), else the program's own. Exit
status 1 if an output is further off than its dtype's rounding. RPX_AGENT names another launcher than ../rpx-agent.
"""
import argparse
import json
import pathlib
import subprocess
import sys
import tempfile

import numpy
import torch
from torch.utils import _pytree as pytree

from counts import AGENT, said

# Sums in another order differ by some roundings.
CLOSE = {torch.float64: 1e-12, torch.float32: 1e-5, torch.complex64: 1e-5, torch.float16: 4e-3, torch.bfloat16: 3e-2}


def ours(file, inputs, folder):
    command = [str(AGENT), "run", str(file), "--output", f"{folder}/out.npz", "--save-inputs", f"{folder}/in.npz"]
    for value in inputs:
        command += ["--input", said(value)]
    done = subprocess.run(command, text=True, capture_output=True)
    if done.returncode:
        raise RuntimeError((done.stderr.strip().splitlines() or ["no message"])[-1])
    return [{k: torch.from_numpy(z[k]) for k in z.files} for z in map(numpy.load, (f"{folder}/in.npz", f"{folder}/out.npz"))]


def leaves(value):
    """Tensors in order; TorchScript's own dicts and lists too."""
    if isinstance(value, dict):
        return [leaf for item in value.values() for leaf in leaves(item)]
    return [leaf for item in value for leaf in leaves(item)] if isinstance(value, (tuple, list)) else [value]


def nested(value, arrays, path):
    """The arrays of one argument, nested as expected.json has them."""
    if "items" not in value:
        return arrays[path].to(getattr(torch, value["dtype"]))
    if isinstance(value["items"], dict):
        return {key: nested(item, arrays, f"{path}.{key}") for key, item in value["items"].items()}
    items = [nested(item, arrays, f"{path}.{i}") for i, item in enumerate(value["items"])]
    return items if value["kind"] == "list" else tuple(items)


def pythons(file, inputs, arrays):
    if file.suffix == ".pt2":
        program = torch.export.load(file)
        given = iter(arrays.values())  # in the order of the program's leaves
        fresh = lambda leaf: next(given).to(leaf.dtype) if isinstance(leaf, torch.Tensor) else leaf
        args, kwargs = pytree.tree_map(fresh, program.example_inputs)
        result = program.module()(*args, **kwargs)
        return pytree.tree_leaves(result)
    module = torch.jit.load(file).eval()
    names = dict.fromkeys(path.split(".")[0] for path in arrays)
    return leaves(module(*(nested(value, arrays, name) for name, value in zip(names, inputs))))


def difference(our, their):
    """0 where they are equal, NaN and infinity included; infinite where they are of other shapes."""
    if our.shape != their.shape:
        return float("inf")
    a, b = (torch.view_as_real(t.resolve_conj()).double() if t.is_complex() else t.double() for t in (our, their))
    same = (a == b) | (a.isnan() & b.isnan())
    if same.all():
        return 0.0
    off = torch.where(same, 0.0, (a - b).abs()).max() / b[b.isfinite()].abs().max().clamp(min=1e-30)
    return float("inf") if off.isnan() else off.item()


def compare(file, inputs):
    with tempfile.TemporaryDirectory() as folder, torch.inference_mode():
        arrays, got = ours(file, inputs, folder)
        want = [t for t in pythons(file, inputs, arrays) if isinstance(t, torch.Tensor)]
    if list(got) != [f"out{i}" for i in range(len(want))]:
        return len(want), None, f"ours are {', '.join(got) or 'none'}"
    offs = [difference(a, b) for a, b in zip(got.values(), want)]
    far = [f"out{i}" for i, (off, b) in enumerate(zip(offs, want)) if not off <= CLOSE.get(b.dtype, 0)]
    largest = max(offs, default=0.0)
    return len(want), largest, "differs: " + ", ".join(far) if far else "close" if largest else "equal"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=pathlib.Path, metavar="MODELS_DIR")
    parser.add_argument("--heavy", action="store_true", help="run the slow ones too")
    parser.add_argument("--only", default="", metavar="PART", help="files whose name holds PART")
    options = parser.parse_args()
    torch.set_num_threads(1)
    known = options.folder / "expected.json"
    models = json.loads(known.read_text())["models"] if known.exists() else [
        {"file": file.name, "format": "export", "inputs": []} for file in sorted(options.folder.glob("*.pt2"))]
    wrong = 0
    print("rpx-agent run against Python on the same inputs\n")
    print(f"{'file':36} {'outputs':>7} {'largest difference':>19}  verdict")
    for model in models:
        if model["format"] not in ("torchscript", "export") or options.only not in model["file"]:
            continue
        if model.get("heavy") and not options.heavy:
            outputs, largest, verdict = None, None, "skipped: heavy (--heavy runs it)"
        else:
            try:
                outputs, largest, verdict = compare(options.folder / model["file"], model["inputs"])
            except Exception as e:  # one line each, whoever fails
                outputs, largest, verdict = None, None, f"failed: {str(e).splitlines()[0]}"
            wrong += verdict not in ("equal", "close")
        show = "-" if largest is None else f"{largest:.1e}" if largest else "0"
        print(f"{model['file']:36} {'-' if outputs is None else outputs:>7} {show:>19}  {verdict}", flush=True)
    print(f"\n{wrong} differ or failed.")
    return wrong > 0


if __name__ == "__main__":
    sys.exit(main())
