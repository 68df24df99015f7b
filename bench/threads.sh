#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Compares the threads that `rpx-agent measure` settles on with every other width of the two pools (OpenMP x OpenBLAS),
# and with LibTorch as it is by default: p50 of one forward, on the same LibTorch, interleaved, each in a fresh process.
#
#   bench/threads.sh [MODEL] [--input SHAPE[:int64]]... [--rounds N] [--busy]
#
# --busy: beside one busy process per core. RPX_AGENT names another launcher than ../rpx-agent.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
agent=${RPX_AGENT:-$here/../rpx-agent}
home=$(cd "$(dirname "$agent")" && pwd)
cores=$(nproc 2>/dev/null || getconf _NPROCESSORS_ONLN)
model=$home/src/main/resources/org/rpx/agent/demo/resnet18.pt
inputs= rounds=5 busy=no
while [ $# -gt 0 ]; do
  case $1 in
    --input) inputs="$inputs $2"; shift ;;
    --rounds) rounds=$2; shift ;;
    --busy) busy=yes ;;
    -*) echo "threads.sh: unknown option $1" >&2; exit 2 ;;
    *) model=$1 ;;
  esac
  shift
done
[ -n "$inputs" ] || inputs=1x3x224x224

"$agent" --version >/dev/null  # builds what is missing
case $(uname -s)-$(uname -m) in
  Linux-x86_64) native=linux-x86_64 ;;
  Linux-*) native=linux-arm64 ;;
  Darwin-x86_64) native=macosx-x86_64 ;;
  *) native=macosx-arm64 ;;
esac
lib=$home/cppbuild/$native/lib
include=$lib/../include
[ -d "$include/torch" ] || include=$home/cppbuild/headers
program=$home/cppbuild/$native/bench-threads
if [ ! -x "$program" ] || [ "$here/threads.cpp" -nt "$program" ]; then
  "${CXX:-c++}" -std=c++17 -O2 -isystem "$include" -isystem "$include/torch/csrc/api/include" "$here/threads.cpp" \
    -o "$program" -L"$lib" -ltorch_cpu -lc10 -ldl "-Wl,-rpath,$lib"
fi

hogs=
trap 'for each in $hogs; do kill "$each" 2>/dev/null || :; done' EXIT
trap 'exit 130' INT TERM
if [ "$busy" = yes ]; then
  i=0
  while [ "$i" -lt "$cores" ]; do
    (while :; do :; done) &
    hogs="$hogs $!"
    i=$((i + 1))
  done
fi

PYTHONPATH=$here PYTHONDONTWRITEBYTECODE=1 "${PYTHON:-python3}" - "$agent" "$program" "$model" "$cores" "$rounds" "$busy" $inputs <<'PY'
import collections, json, os, statistics, subprocess, sys

from turns import Agent, Loop, in_turns, ratios

agent, program, model, cores, rounds, busy, *inputs = sys.argv[1:]
cores, rounds = int(cores), int(rounds)
widths = [2**i for i in range(cores.bit_length()) if 2**i <= cores]
if cores not in widths:
    widths.append(cores)
base = {k: v for k, v in os.environ.items() if not k.startswith(("OMP_", "GOMP_", "OPENBLAS_", "MKL_"))}
CALM = {"GOMP_SPINCOUNT": "10000", "OPENBLAS_THREAD_TIMEOUT": "20"}


def run(command, env, quiet):
    done = subprocess.run(command, env={**base, **env}, text=True, stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL if quiet else subprocess.PIPE)
    if done.returncode:
        sys.exit(f"{command[0]} ended with {done.returncode}: {done.stderr}")
    return done.stdout


def quartile(t):
    return statistics.quantiles(t, n=4, method="inclusive")[0] if len(t) > 1 else t[0]


def loop(operators, blas, env):
    wide = operators != 1 and blas != 1  # OpenBLAS floods stderr with warnings then
    return lambda: int(run([program, model, str(operators), str(blas), *inputs], env, wide)) / 1e6


picks = collections.Counter()


def ours():
    each = [part for shape in inputs for part in ("--input", shape)]
    tier3 = json.loads(run([agent, "measure", model, *each, "--json", "-", "--quiet"], {}, False))["tier3"]
    picks[f"{tier3['threads']['operators']}x{tier3['threads']['blas']}"] += 1
    return tier3["p50_ms"]


contenders = {("rpx-agent measure", "its own"): ours}
for operators in widths:
    for blas in widths:
        contenders[f"{operators} x {blas}", "calm"] = loop(operators, blas, CALM)
        if operators > 1 or blas > 1:
            contenders[f"{operators} x {blas}", "default"] = loop(operators, blas, {})
untouched = ("LibTorch's default", "default")
contenders[untouched] = loop(0, 0, {})

times = collections.defaultdict(list)
mine = next(iter(contenders))
running = list(contenders)
for i in range(rounds):
    for name in running[i % len(running):] + running[:i % len(running)]:
        times[name].append(contenders[name]())
    if i == 1:  # some fight for the cores and take minutes; the rounds are for those that may be the best
        limit = (4 if busy == "yes" else 1.6) * min(map(min, times.values()))
        running = [name for name in running if name == mine or min(times[name]) <= limit]

print(f"p50 of {os.path.basename(model)} at {' '.join(inputs)}, {cores} cores"
      f"{', beside one busy process per core' if busy == 'yes' else ''}: median of {rounds} interleaved runs.")
print("Threads: OpenMP x OpenBLAS, in a C++ loop without rpx-agent. Waiting: calm is GOMP_SPINCOUNT=10000 and")
print("OPENBLAS_THREAD_TIMEOUT=20, as rpx-agent sets them; default is neither. Best: least median but rpx-agent's own.")
print(f"Those that took over {4 if busy == 'yes' else 1.6} times the least of all in both of the first two rounds ran no more.\n")
medians = {name: statistics.median(t) for name, t in times.items()}
best = min((n for n in running if n != mine), key=medians.get)
rivals = [n for n in running if n != mine]


def best_without(i):
    """The best of a round is the best by luck too, so the other rounds choose whom ours is compared with in it."""
    return min(rivals, key=lambda n: statistics.median(t for j, t in enumerate(times[n]) if j != i or rounds == 1))


paired = statistics.median(times[mine][i] / times[best_without(i)][i] for i in range(rounds))
print(f"{'threads':20} {'waiting':8} {'p50 ms':>9} {'lowest':>9} {'highest':>9} {'runs':>4} {'/ best':>7}")
for name, median in sorted(medians.items(), key=lambda item: item[1]):
    print(f"{name[0]:20} {name[1]:8} {median:9.4f} {min(times[name]):9.4f} {max(times[name]):9.4f} {len(times[name]):4} "
          f"{median / medians[best]:7.3f}{'  <- ours' if name == mine else ''}")
print(f"\nrpx-agent chose {', '.join(f'{k} ({v} of {rounds})' for k, v in picks.most_common())}; "
      f"ours / best = {medians[mine] / medians[best]:.3f} "
      f"({paired:.3f} in the median round, against the best of the other rounds, "
      f"{quartile(times[mine]) / quartile(times[best]):.3f} of the lower quartiles); "
      f"ours / LibTorch's default = {medians[mine] / medians[untouched]:.3f}")

if busy == "no":
    operators, blas = map(int, picks.most_common(1)[0][0].split("x"))
    command = [agent, "serve", model, *[part for shape in inputs for part in ("--input", shape)]]
    starts = {mine: lambda: Agent(command, base, operators, blas)}
    for name in sorted(rivals, key=medians.get):
        if name != untouched and medians[name] <= 1.25 * medians[best]:
            of, waiting = name
            widths = of.split(" x ")
            starts[name] = lambda widths=widths, waiting=waiting: Loop(
                [program, "--turns", model, *widths, *inputs], {**base, **(CALM if waiting == "calm" else {})})
    each = in_turns(starts, processes=5, turns=30, runs=3, warmup=20)
    print("\nIn turns with rpx-agent's choice, 30 of 3 runs each, 5 lasting processes of each: ours / it")
    for name in starts:
        if name != mine:
            pairs = ratios(each, mine, name)
            print(f"{name[0]:20} {name[1]:8} {statistics.median(pairs):7.3f}   {' '.join(f'{r:.3f}' for r in pairs)}")
PY
