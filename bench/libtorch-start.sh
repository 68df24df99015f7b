#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Compares how long `rpx-agent count` takes, start to finish, on another LibTorch (a CUDA build, say) and on the default
# one. Interleaved, after one run of each that does not count. Target: ratio 1.1 or less.
#
#   bench/libtorch-start.sh DIR [ROUNDS]      DIR as --libtorch takes it
set -eu
here=$(cd "$(dirname "$0")" && pwd)
agent=${RPX_AGENT:-$here/../rpx-agent}
folder=$1 rounds=${2:-11}
"$agent" --version >/dev/null  # builds what is missing
"$agent" --libtorch "$folder" --version >/dev/null

python3 - "$agent" "$folder" "$rounds" <<'PY'
import os, statistics, subprocess, sys
from time import perf_counter

agent, folder, rounds = sys.argv[1:]
count = ["count", "demo:resnet18", "--input", "1x3x64x64", "--json", "-", "--quiet"]
contenders = {"the default LibTorch": [agent, *count], folder: [agent, "--libtorch", folder, *count]}
environment = {key: value for key, value in os.environ.items() if key != "RPX_LIBTORCH"}
wall, cpu = ({name: [] for name in contenders} for _ in range(2))
for i in range(int(rounds) + 1):
    for name in list(contenders)[:: 1 if i % 2 else -1]:
        before, start = os.times(), perf_counter()
        subprocess.run(contenders[name], check=True, stdout=subprocess.DEVNULL, env=environment)
        seconds, after = perf_counter() - start, os.times()
        if i:
            wall[name].append(seconds)
            cpu[name].append(after.children_user - before.children_user + after.children_system - before.children_system)

print(f"rpx-agent count demo:resnet18, start to finish: median of {rounds} interleaved runs, in seconds.\n")
print(f"{'wall':>8} {'lowest':>8} {'CPU':>8}  LibTorch")
for name in contenders:
    print(f"{statistics.median(wall[name]):8.3f} {min(wall[name]):8.3f} {statistics.median(cpu[name]):8.3f}  {name}")
default = next(iter(contenders))
print(f"\nratio of medians: wall {statistics.median(wall[folder]) / statistics.median(wall[default]):.3f}, "
      f"CPU {statistics.median(cpu[folder]) / statistics.median(cpu[default]):.3f}")
PY
