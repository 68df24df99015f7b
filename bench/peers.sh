#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# p50 of one model by rpx-agent, by a C++ loop, by torch.utils.benchmark and by DJL's predictor, interleaved, each in a
# fresh process, with the same width of the thread pool, and all but DJL on the LibTorch of the torch package of $PYTHON.
# DJL is tried on that one too (PYTORCH_LIBRARY_PATH), and on its own. Whoever cannot run is a row with the reason.
#
#   bench/peers.sh MODEL [--input SHAPE] [--threads N] [--rounds N] [--runs N] [--warmup N]
#
# MODEL is TorchScript with one float32 input: a ResNet-50, say. RPX_AGENT names another launcher than ../rpx-agent.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
agent=${RPX_AGENT:-$here/../rpx-agent}
home=$(cd "$(dirname "$agent")" && pwd)
djl_torch=$(sed -n 's|.*<djl.torch>\(.*\)</djl.torch>.*|\1|p' "$here/peers/pom.xml")
model='' shape=1x3x224x224 threads=$(getconf _NPROCESSORS_ONLN) rounds=12 runs=20 warmup=5
while [ $# -gt 0 ]; do
  case $1 in
    --input) shape=$2; shift ;;
    --threads) threads=$2; shift ;;
    --rounds) rounds=$2; shift ;;
    --runs) runs=$2; shift ;;
    --warmup) warmup=$2; shift ;;
    -*) echo "peers.sh: unknown argument $1" >&2; exit 2 ;;
    *) model=$1 ;;
  esac
  shift
done
[ -f "$model" ] || { echo "peers.sh: name a TorchScript file" >&2; exit 2; }
python=${PYTHON:-python3}
torch=$("$python" -c 'import os, torch; print(os.path.dirname(torch.__file__))') ||
  { echo "peers.sh: $python has no torch: name one that has it with PYTHON" >&2; exit 2; }

"$agent" --libtorch "$torch" --version >/dev/null  # builds what is missing
build=$home/target/bench-peers
mkdir -p "$build"
program=$build/loop-$(echo "$torch" | cksum | cut -d ' ' -f 1)
# Its row tells why there is none.
if [ ! -x "$program" ] || [ "$here/peers/loop.cpp" -nt "$program" ]; then
  "${CXX:-c++}" -std=c++17 -O2 -isystem "$torch/include" -isystem "$torch/include/torch/csrc/api/include" \
    "$here/peers/loop.cpp" -o "$program" -L"$torch/lib" -ltorch_cpu -lc10 "-Wl,-rpath,$torch/lib" "-Wl,-rpath-link,$torch/lib" ||
    rm -f "$program"
fi
mvn -q -B -ntp -f "$here/peers/pom.xml" package -Dmaven.test.skip=true >"$build/log" 2>&1 || :

PYTHONPATH=$here PYTHONDONTWRITEBYTECODE=1 "$python" - "$agent" "$program" "$torch" "$build" "$model" "$shape" "$threads" "$rounds" "$runs" "$warmup" "$djl_torch" <<'PY'
import json, math, os, statistics, subprocess, sys

from turns import Agent, Loop, in_turns, ratios

agent, program, torch, build, model, shape, threads, rounds, runs, warmup, djl_torch = sys.argv[1:]
PATIENCE_S = 600
# Sleeping pools for all: rpx-agent comes to the same on its own.
env = {**os.environ, "GOMP_SPINCOUNT": "10000", "OPENBLAS_NUM_THREADS": "1"}
TIMER = """
import sys, torch
from torch.utils.benchmark import Timer
model, shape, threads, warmup, runs = sys.argv[1], [int(s) for s in sys.argv[2].split("x")], *map(int, sys.argv[3:])
with torch.inference_mode():
    timer = Timer("m(x)", globals={"m": torch.jit.load(model).eval(), "x": torch.rand(shape)}, num_threads=threads)
    timer.timeit(warmup)
    print(sorted(timer.timeit(1).mean for _ in range(runs))[runs // 2] * 1e9)
"""


def quartile(t):
    return statistics.quantiles(t, n=4, method="inclusive")[0] if len(t) > 1 else t[0]


class Unable(Exception):
    pass


def run(*command, **more):
    try:
        done = subprocess.run(command, env={**env, **more}, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=PATIENCE_S)
    except OSError as e:
        raise Unable(f"{e.filename}: {e.strerror}")
    except subprocess.TimeoutExpired:
        raise Unable(f"no end within {PATIENCE_S} s")
    if done.returncode:
        lines = [line.strip("# ") for line in (done.stdout + done.stderr).splitlines() if line.strip("# ")]
        if "Problematic frame:" in lines:
            raise Unable("the JVM crashed in " + lines[lines.index("Problematic frame:") + 1][:120])
        causes = [line for line in lines if "Exception" in line or "Error" in line]
        raise Unable((causes or lines or [f"exit {done.returncode}"])[-1][:150])
    return done.stdout


def ours():
    out = run(agent, "--libtorch", torch, "measure", model, "--input", shape, "--threads", threads, "--warmup", warmup,
              "--iterations", runs, "--json", "-", "--quiet")
    return json.loads(out)["tier3"]["p50_ms"] * 1e6


# What DJL unpacks stays in the build's folder; the jars of pom.xml are all that it may take.
def djl(**more):
    out = run("java", f"-XX:ErrorFile={build}/hs_err.log", "-Dai.djl.offline=true", f"-DDJL_CACHE_DIR={build}/djl", "-cp",
              f"{build}/classes:{build}/lib/*", "DjlLoop", model, shape, threads, warmup, runs, **more)
    return float(out.split()[-2])


# DJL's binding has code of LibTorch's headers in it, which fits the LibTorch that it was made for: another one's
# thread-local state has another size, and the JVM crashes in it.
def djl_here():
    try:
        return djl(PYTORCH_LIBRARY_PATH=torch + "/lib", PYTORCH_FLAVOR="cpu")
    except Unable as e:
        here = open(f"{torch}/version.py").read().split("__version__ = '")[1].split("'")[0]
        fits = here.split("+")[0] == djl_torch
        raise e if fits else Unable(f"its binding is of LibTorch {djl_torch}, this one is {here}: {e}")


contenders = {
    "rpx-agent measure": ours,
    "C++ loop": lambda: float(run(program, model, shape, threads, warmup, runs).split()[-1]),
    "torch.utils.benchmark": lambda: float(run(sys.executable, "-c", TIMER, model, shape, threads, warmup, runs).split()[-1]),
    "DJL 0.36.0, the same LibTorch": djl_here,
    f"DJL 0.36.0, LibTorch {djl_torch}": djl,
}
times = {name: [] for name in contenders}
why = {}
for i in range(int(rounds)):
    names = list(contenders)
    for name in names[i % len(names):] + names[:i % len(names)]:
        if name in why:
            continue
        try:
            times[name].append(contenders[name]())
        except Unable as e:
            why[name] = str(e)

print(f"p50 of {os.path.basename(model)}, {shape}, {threads} threads, {runs} runs after {warmup}, median of {rounds} rounds:\n")
loop = statistics.median(times["C++ loop"] or [math.nan])
print(f"{'':32} {'p50 ms':>10} {'lowest':>10} {'quartile':>10} {'highest':>10} {'/ C++ loop':>11} {'of quartiles':>13}")
for name, t in times.items():
    if name in why:
        print(f"{name:32} n/a: {why[name]}")
    else:
        median = statistics.median(t)
        low = quartile(t)
        print(f"{name:32} {median / 1e6:10.3f} {min(t) / 1e6:10.3f} {low / 1e6:10.3f} {max(t) / 1e6:10.3f} "
              f"{median / loop:11.3f} {low / quartile(times['C++ loop'] or [math.nan]):13.3f}")
print("\nOther work on a machine only adds time: of these ratios, that of the rounds' lower quartiles is moved less by it.")

if "C++ loop" not in why:
    served = [agent, "--libtorch", torch, "serve", model, "--input", shape, "--threads", threads]
    each = in_turns({"ours": lambda: Agent(served, env, int(threads), 1), "loop": lambda: Loop([program, model, shape, threads], env)},
                    processes=5, turns=40, runs=3, warmup=int(warmup))
    pairs = ratios(each, "ours", "loop")
    print(f"In turns, 40 of 3 runs each, 5 pairs of lasting processes: rpx-agent / C++ loop = {statistics.median(pairs):.3f} "
          f"(pairs: {' '.join(f'{r:.3f}' for r in pairs)})")
PY
