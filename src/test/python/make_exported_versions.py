"""Writes one program as the torch at hand saves it. Run it with each version:

    python make_exported_versions.py src/test/resources/exported/versions      # writes torch_2_5.pt2 with torch 2.5

A dynamic batch of 2 to 8, a keyword argument, a dict of outputs, tied weights, a frozen one, a buffer that each forward changes, one
that is not among the weights, a tensor that is a plain attribute. Its weights are chosen so that the outputs follow by hand: for x of
constant v, conv gives ±4v, norm 3 and -1 (eps is 0), first 4 · 0.5 · (3 - 1) + 1 = 5, second 8 · 0.5 · 5 + 2 = 22. Stack traces go, since they hold the paths of a machine, and graphs are compressed; members
with weights are stored, as torch does.
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


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(1, 2, 2)
        self.norm = nn.LayerNorm(8, eps=0.0)
        self.first, self.second = nn.Linear(8, 8), nn.Linear(8, 8)
        self.second.weight = self.first.weight
        self.register_buffer("count", torch.zeros(()))
        self.register_buffer("factor", torch.full((), 0.5), persistent=False)
        self.shift = torch.full((8,), 3.0)
        self.conv.bias.requires_grad_(False)

    def forward(self, x, *, scale):
        self.count.add_(1)
        conv = self.conv(x).flatten(1)
        y = self.second(self.first(self.norm(conv)))
        return {"conv": conv * self.factor, "y": y * scale + self.count + self.shift}


def fill(model):
    with torch.no_grad():
        model.conv.weight.copy_(torch.tensor([1.0, -1.0]).reshape(2, 1, 1, 1).expand(2, 1, 2, 2))
        model.conv.bias.fill_(0)
        model.norm.weight.fill_(2)
        model.norm.bias.fill_(1)
        model.first.weight.fill_(0.5)
        model.first.bias.fill_(1)
        model.second.bias.fill_(2)
    return model.eval()


def strip(value):
    for item in value.values() if isinstance(value, dict) else value if isinstance(value, list) else []:
        strip(item)
    if isinstance(value, dict) and "target" in value and "metadata" in value:
        value["metadata"] = {}


def plain(name, content):
    if "/models/" not in name and "serialized_exported_program" not in name:
        return content, zipfile.ZIP_DEFLATED if name.endswith(".json") else zipfile.ZIP_STORED
    program = json.loads(content)
    strip(program)
    return json.dumps(program), zipfile.ZIP_DEFLATED


version = "_".join(torch.__version__.split(".")[:2])
batch = Dim("batch", min=2, max=8)
program = export(
    fill(Net()), (torch.zeros(4, 1, 3, 3),), {"scale": torch.zeros(4, 8)}, dynamic_shapes={"x": {0: batch}, "scale": {0: batch}}
)
saved = io.BytesIO()
save(program, saved)
os.makedirs(sys.argv[1], exist_ok=True)
with zipfile.ZipFile(saved) as whole, zipfile.ZipFile(f"{sys.argv[1]}/torch_{version}.pt2", "w") as small:
    for item in whole.namelist():
        content, how = plain(item, whole.read(item))
        small.writestr(re.sub("^archive/", f"torch_{version}/", item), content, how)
