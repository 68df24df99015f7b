#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Compares the wall time, start to finish, of `rpx-agent measure MODEL --iterations 100` (which also counts, settles
# threads and warms up) with Python that imports torch, loads the same file and runs it 100 times in inference mode.
# Interleaved, after one run of each that does not count. Target: ratio 0.25 or less.
#
#   PYTHON=python-that-has-torch bench/start.sh [MODEL] [--input SHAPE[:int64]]... [--rounds N]
#
# Environment as it is, so that both have their own default threads. RPX_AGENT names another launcher than ../rpx-agent.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
agent=${RPX_AGENT:-$here/../rpx-agent}
home=$(cd "$(dirname "$agent")" && pwd)
model=$home/src/main/resources/org/rpx/agent/demo/resnet18.pt
inputs= rounds=11
while [ $# -gt 0 ]; do
  case $1 in
    --input) inputs="$inputs $2"; shift ;;
    --rounds) rounds=$2; shift ;;
    -*) echo "start.sh: unknown option $1" >&2; exit 2 ;;
    *) model=$1 ;;
  esac
  shift
done
[ -n "$inputs" ] || inputs=1x3x224x224
"$agent" --version >/dev/null  # builds what is missing

"${PYTHON:-python3}" - "$agent" "$model" "$rounds" $inputs <<'PY'
import os, statistics, subprocess, sys
from time import perf_counter

agent, model, rounds, *inputs = sys.argv[1:]
code = """
import sys, torch
module = torch.jit.load(sys.argv[1]).eval()
def make(text):
    shape, _, dtype = text.partition(":")
    shape = [int(n) for n in shape.split("x")]
    return torch.zeros(shape, dtype=torch.int64) if dtype == "int64" else torch.rand(shape)
inputs = [make(text) for text in sys.argv[2:]]
with torch.inference_mode():
    for _ in range(100):
        module(*inputs)
"""
each = [part for shape in inputs for part in ("--input", shape)]
contenders = {
    "rpx-agent measure": [agent, "measure", model, *each, "--iterations", "100"],
    "Python, 100 forwards": [sys.executable, "-c", code, model, *inputs],
    "Python, import torch alone": [sys.executable, "-c", "import torch"],
}
version = subprocess.run([sys.executable, "-c", "import torch; print(torch.__version__)"], check=True, text=True,
                         stdout=subprocess.PIPE).stdout.strip()
times = {name: [] for name in contenders}
for i in range(int(rounds) + 1):
    names = list(contenders)
    for name in names[i % 3:] + names[:i % 3]:
        start = perf_counter()
        subprocess.run(contenders[name], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        if i:
            times[name].append(perf_counter() - start)

print(f"Wall time of 100 forwards of {os.path.basename(model)} at {' '.join(inputs)}, start to finish, against torch "
      f"{version}:\nmedian of {rounds} interleaved runs.\n")
mine = statistics.median(times["rpx-agent measure"])
print(f"{'program':28} {'seconds':>8} {'lowest':>8} {'highest':>8} {'ours / it':>10}")
for name, t in times.items():
    print(f"{name:28} {statistics.median(t):8.3f} {min(t):8.3f} {max(t):8.3f} {mine / statistics.median(t):10.3f}")
PY
