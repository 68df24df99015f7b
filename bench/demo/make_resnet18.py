#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the demo model: ResNet-18 as TorchScript, every tensor filled with one constant.

The architecture is that of "Deep Residual Learning for Image Recognition" (arXiv:1512.03385).
Outputs are finite but meaningless; constant tensors let the archive deflate to a few kilobytes.

Run with torch 2.10.0:
    python3 bench/demo/make_resnet18.py src/main/resources/org/rpx/agent/demo/resnet18.pt
"""
import io
import os
import pathlib
import sys
import zipfile

import torch
from torch import nn


class BasicBlock(nn.Module):
    def __init__(self, c_in, c_out, stride):
        super().__init__()
        self.conv1 = nn.Conv2d(c_in, c_out, 3, stride, padding=1, bias=False)
        self.bn1 = nn.BatchNorm2d(c_out)
        self.conv2 = nn.Conv2d(c_out, c_out, 3, padding=1, bias=False)
        self.bn2 = nn.BatchNorm2d(c_out)
        self.relu = nn.ReLU(inplace=True)
        self.downsample = nn.Identity() if stride == 1 else nn.Sequential(
            nn.Conv2d(c_in, c_out, 1, stride, bias=False), nn.BatchNorm2d(c_out))

    def forward(self, x):
        y = self.relu(self.bn1(self.conv1(x)))
        return self.relu(self.bn2(self.conv2(y)) + self.downsample(x))


class ResNet18(nn.Module):
    def __init__(self, classes=1000):
        super().__init__()
        self.conv1 = nn.Conv2d(3, 64, 7, stride=2, padding=3, bias=False)
        self.bn1 = nn.BatchNorm2d(64)
        self.relu = nn.ReLU(inplace=True)
        self.maxpool = nn.MaxPool2d(3, stride=2, padding=1)
        self.layer1 = nn.Sequential(BasicBlock(64, 64, 1), BasicBlock(64, 64, 1))
        self.layer2 = nn.Sequential(BasicBlock(64, 128, 2), BasicBlock(128, 128, 1))
        self.layer3 = nn.Sequential(BasicBlock(128, 256, 2), BasicBlock(256, 256, 1))
        self.layer4 = nn.Sequential(BasicBlock(256, 512, 2), BasicBlock(512, 512, 1))
        self.avgpool = nn.AdaptiveAvgPool2d(1)
        self.fc = nn.Linear(512, classes)

    def forward(self, x):
        x = self.maxpool(self.relu(self.bn1(self.conv1(x))))
        x = self.layer4(self.layer3(self.layer2(self.layer1(x))))
        return self.fc(torch.flatten(self.avgpool(x), 1))


@torch.no_grad()
def fill_constants(model):
    """Weights 1/fan_in, scales and variances 1, everything else 0."""
    for name, t in model.state_dict().items():
        if t.dim() > 1:
            t.fill_(1.0 / t[0].numel())
        else:
            t.fill_(1 if name.endswith(("running_var", "weight")) else 0)


def save_deflated(scripted, path):
    """torch.jit.save, but compressed, without debug information and with fixed timestamps."""
    buffer = io.BytesIO()
    torch.jit.save(scripted, buffer)
    with zipfile.ZipFile(buffer) as src, zipfile.ZipFile(path, "w") as dst:
        root = src.namelist()[0].split("/", 1)[0]
        for name in src.namelist():
            if not name.endswith(".debug_pkl"):
                info = zipfile.ZipInfo(path.stem + name[len(root):], (1980, 1, 1, 0, 0, 0))
                dst.writestr(info, src.read(name), zipfile.ZIP_DEFLATED, compresslevel=9)


if __name__ == "__main__":
    if os.environ.get("PYTHONHASHSEED") != "0":  # the order of class constants depends on it
        os.execve(sys.executable, [sys.executable, *sys.argv], {**os.environ, "PYTHONHASHSEED": "0"})
    net = ResNet18().eval()
    fill_constants(net)
    save_deflated(torch.jit.script(net), pathlib.Path(sys.argv[1]))
