"""Writes an AOTInductor package and the exported program that it was compiled from, into the folder given (torch 2.10, g++).

    python make_compiled.py src/test/resources/compiled

y = relu(a W^T + bias) + b, with weights that let a reader work out y by hand. The library is stripped, and the sources beside it
are left out: they hold paths of the machine that it was made on. It is for x86-64 with AVX2, Linux.
"""
import importlib.util
import json
import os
import re
import subprocess
import sys
import tempfile
import zipfile

OUT = sys.argv[1]
WORK = tempfile.mkdtemp()
TORCH = os.path.dirname(os.path.dirname(importlib.util.find_spec("torch").origin))
os.environ["TORCHINDUCTOR_CACHE_DIR"] = WORK
# Inductor compiles for the very processor that it runs on; what is kept has to run on others.
os.environ["CXX"] = f"{WORK}/g++"
with open(os.environ["CXX"], "w") as script:
    maps = f"-ffile-prefix-map={WORK}=. -ffile-prefix-map={TORCH}=."
    script.write(f'#!/bin/bash\nexec /usr/bin/g++ "${{@/-march=native/-march=x86-64-v3}}" {maps}\n')
os.chmod(os.environ["CXX"], 0o755)

# Inductor reads its settings when it is imported.
import torch
import torch._inductor
from torch import nn
from torch.export import export, save


class Tiny(nn.Module):
    def __init__(self):
        super().__init__()
        self.line = nn.Linear(2, 3)
        self.line.weight = nn.Parameter(torch.tensor([[1.0, -1.0], [2.0, 0.5], [0.0, -3.0]]))
        self.line.bias = nn.Parameter(torch.tensor([0.5, -1.0, 0.0]))

    def forward(self, a, b):
        return torch.relu(self.line(a)) + b


def rewrite(source, target, each):
    with zipfile.ZipFile(source) as whole, zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as small:
        for item in whole.namelist():
            content = each(item, whole.read(item))
            if content is not None:
                small.writestr(zipfile.ZipInfo(re.sub("^[^/]+", "tiny", item)), content, zipfile.ZIP_DEFLATED, 9)


def graph(item, content):
    if "sample_inputs" in item:
        return None
    if "/models/" not in item:
        return content
    program = json.loads(content)
    for node in program["graph_module"]["graph"]["nodes"]:
        node["metadata"] = {}
    return json.dumps(program)


def compiled(item, content):
    if item.endswith((".cpp", ".json")) and not item.endswith("wrapper_metadata.json"):
        return None
    if not item.endswith(".so"):
        return content
    library = os.path.join(WORK, "stripped.so")
    with open(library, "wb") as file:
        file.write(content)
    subprocess.check_call(["strip", "--strip-all", library])
    with open(library, "rb") as file:
        return file.read()


os.makedirs(OUT, exist_ok=True)
program = export(Tiny().eval(), (torch.ones(4, 2), torch.zeros(4, 3)))
save(program, f"{WORK}/graph.pt2")
package = torch._inductor.aoti_compile_and_package(
    program, package_path=f"{WORK}/package.pt2", inductor_configs={"cpp.simdlen": 256, "max_autotune": False})
rewrite(package, f"{OUT}/tiny.pt2", compiled)
rewrite(f"{WORK}/graph.pt2", f"{OUT}/tiny_graph.pt2", graph)
