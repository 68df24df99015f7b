#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the demo models that are torch.export programs, every tensor filled with one constant: MobileNetV2 as in
"MobileNetV2: Inverted Residuals and Linear Bottlenecks" (arXiv:1801.04381), and a transformer policy that takes 50
observations of 32 values and gives 8 actions of 14.

Outputs are finite but meaningless; constant tensors let the archives deflate to some kilobytes.

Run with torch 2.10.0:
    python3 bench/demo/make_exported.py src/main/resources/org/rpx/agent/demo
"""
import io
import json
import pathlib
import sys
import zipfile

import torch
from torch import nn


class InvertedResidual(nn.Module):
    def __init__(self, c_in, c_out, stride, expand):
        super().__init__()
        wide = c_in * expand
        layers = [] if expand == 1 else [nn.Conv2d(c_in, wide, 1, bias=False), nn.BatchNorm2d(wide), nn.ReLU6(inplace=True)]
        layers += [nn.Conv2d(wide, wide, 3, stride, 1, groups=wide, bias=False), nn.BatchNorm2d(wide), nn.ReLU6(inplace=True),
                   nn.Conv2d(wide, c_out, 1, bias=False), nn.BatchNorm2d(c_out)]
        self.body = nn.Sequential(*layers)
        self.residual = stride == 1 and c_in == c_out

    def forward(self, x):
        return x + self.body(x) if self.residual else self.body(x)


class MobileNetV2(nn.Module):
    # expansion, channels, blocks, stride of the first (table 2 of the paper)
    STAGES = [(1, 16, 1, 1), (6, 24, 2, 2), (6, 32, 3, 2), (6, 64, 4, 2), (6, 96, 3, 1), (6, 160, 3, 2), (6, 320, 1, 1)]

    def __init__(self, classes=1000):
        super().__init__()
        layers, c = [nn.Conv2d(3, 32, 3, 2, 1, bias=False), nn.BatchNorm2d(32), nn.ReLU6(inplace=True)], 32
        for expand, channels, blocks, stride in self.STAGES:
            for i in range(blocks):
                layers.append(InvertedResidual(c, channels, stride if i == 0 else 1, expand))
                c = channels
        layers += [nn.Conv2d(c, 1280, 1, bias=False), nn.BatchNorm2d(1280), nn.ReLU6(inplace=True)]
        self.features = nn.Sequential(*layers)
        self.classifier = nn.Linear(1280, classes)

    def forward(self, image):
        return self.classifier(self.features(image).mean([2, 3]))


class Policy(nn.Module):
    def __init__(self, width=128, heads=4, layers=4, steps=50):
        super().__init__()
        self.embed = nn.Linear(32, width)
        self.position = nn.Parameter(torch.zeros(1, steps, width))
        self.layers = nn.ModuleList(Layer(width, heads) for _ in range(layers))
        self.head = nn.Linear(width, 8 * 14)

    def forward(self, obs):
        x = self.embed(obs) + self.position
        for layer in self.layers:
            x = layer(x)
        return self.head(x[:, -1]).view(-1, 8, 14)


class Layer(nn.Module):
    def __init__(self, width, heads):
        super().__init__()
        self.heads = heads
        self.norm1, self.norm2 = nn.LayerNorm(width), nn.LayerNorm(width)
        self.qkv, self.out = nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.up, self.down = nn.Linear(width, 4 * width), nn.Linear(4 * width, width)

    def forward(self, x):
        n, t, width = x.shape
        q, k, v = (y.view(n, t, self.heads, -1).transpose(1, 2) for y in self.qkv(self.norm1(x)).chunk(3, -1))
        attended = nn.functional.scaled_dot_product_attention(q, k, v)
        x = x + self.out(attended.transpose(1, 2).reshape(n, t, width))
        return x + self.down(nn.functional.gelu(self.up(self.norm2(x))))


@torch.no_grad()
def fill_constants(model):
    """Weights 1/fan_in, scales and variances 1, everything else 0."""
    for name, t in model.state_dict().items():
        if not t.is_floating_point():
            continue
        if t.dim() > 1:
            t.fill_(t.shape[0] / t.numel())
        else:
            t.fill_(1.0 if name.endswith(("weight", "running_var")) else 0.0)


def strip(value):
    """Stack traces hold the paths of this machine."""
    for item in value.values() if isinstance(value, dict) else value if isinstance(value, list) else []:
        strip(item)
    if isinstance(value, dict):
        value.pop("stack_trace", None)


def write(folder, name, model, example):
    fill_constants(model.eval())
    program = torch.export.export(model, (example,))
    buffer = io.BytesIO()
    torch.export.save(program, buffer)
    with zipfile.ZipFile(buffer) as whole, zipfile.ZipFile(folder / f"{name}.pt2", "w", zipfile.ZIP_DEFLATED, compresslevel=9) as small:
        for item in whole.namelist():
            content = whole.read(item)
            if "sample_inputs" in item:
                continue  # a picture of random numbers; the graph tells its shape
            if item.endswith("models/model.json"):
                graph = json.loads(content)
                strip(graph)
                content = json.dumps(graph, separators=(",", ":"))
            entry = zipfile.ZipInfo(item.replace(item.split("/")[0], name, 1), (1980, 1, 1, 0, 0, 0))
            small.writestr(entry, content, zipfile.ZIP_DEFLATED)


if __name__ == "__main__":
    out = pathlib.Path(sys.argv[1])
    write(out, "mobilenet_v2", MobileNetV2(), torch.zeros(1, 3, 224, 224))
    write(out, "policy_transformer", Policy(), torch.zeros(1, 50, 32))
