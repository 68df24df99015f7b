#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Compares the timed loop of `rpx-agent measure` with a C++ loop written by hand, on a module that does nothing and the
# same LibTorch: p50 of one forward in nanoseconds, interleaved, each in a fresh process. The difference is what
# rpx-agent adds to every sample. Target: within 100 ns. Beside them Session.run() from Java, which copies its outputs too.
# Target: within 500 ns.
#
#   bench/loop.sh [--rounds N] [--iterations N]
#
# RPX_AGENT names another launcher than ../rpx-agent.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
agent=${RPX_AGENT:-$here/../rpx-agent}
home=$(cd "$(dirname "$agent")" && pwd)
rounds=21 iterations=20000
while [ $# -gt 0 ]; do
  case $1 in
    --rounds) rounds=$2; shift ;;
    --iterations) iterations=$2; shift ;;
    *) echo "loop.sh: unknown argument $1" >&2; exit 2 ;;
  esac
  shift
done

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
program=$home/cppbuild/$native/bench-loop
if [ ! -x "$program" ] || [ "$here/loop.cpp" -nt "$program" ]; then
  "${CXX:-c++}" -std=c++17 -O2 -isystem "$include" -isystem "$include/torch/csrc/api/include" "$here/loop.cpp" \
    -o "$program" -L"$lib" -ltorch_cpu -lc10 "-Wl,-rpath,$lib"
fi

"${PYTHON:-python3}" - "$agent" "$program" "$here/SessionLoop.java" "$home/cppbuild/$native" "$home/src/test/resources/models/identity.pt" "$rounds" "$iterations" <<'PY'
import json, os, statistics, subprocess, sys

agent, program, session, native, model, rounds, n = sys.argv[1:]
home = os.path.dirname(os.path.abspath(agent))
# One thread and sleeping pools for all three: rpx-agent comes to the same on its own.
env = {**os.environ, "GOMP_SPINCOUNT": "10000", "OPENBLAS_NUM_THREADS": "1"}


def run(*command):
    return subprocess.run(command, env=env, check=True, text=True, stdout=subprocess.PIPE).stdout


def ours():
    text = run(agent, "measure", model, "--input", "1x4", "--iterations", n, "--json", "-", "--quiet")
    return json.loads(text)["tier3"]["p50_ms"] * 1e6


def from_java():
    return int(run("java", "-Dorg.bytedeco.javacpp.pathsFirst=true",
                   f"-Djava.library.path={native}:{home}/target/classes:{native}/lib",
                   f"-Dorg.bytedeco.javacpp.platform.preloadpath={native}:{native}/lib",
                   "-cp", f"{home}/target/classes:{home}/target/lib/*", session, model, n))


contenders = {
    "rpx-agent measure": ours,
    "C++, module.forward": lambda: int(run(program, model, n, "call")),
    "C++, method looked up once": lambda: int(run(program, model, n, "method")),
    "Session.run() from Java": from_java,
}
times = {name: [] for name in contenders}
for i in range(int(rounds)):
    names = list(contenders)
    for name in names[i % len(names):] + names[:i % len(names)]:
        times[name].append(contenders[name]())

print(f"p50 of one forward of a module that returns its input, {n} forwards, one thread, GOMP_SPINCOUNT=10000:")
print(f"median of {rounds} interleaved runs.")
print("The lowest are compared too: a busy neighbour doubles the time of a whole run, and then medians say little.\n")
mine = statistics.median(times["rpx-agent measure"])
least = min(times["rpx-agent measure"])
print(f"{'loop':28} {'p50 ns':>8} {'lowest':>8} {'highest':>8} {'ours - it':>10} {'ours / it':>10} {'of lowest: ours - it':>21}")
for name, t in times.items():
    median = statistics.median(t)
    print(f"{name:28} {median:8.0f} {min(t):8.0f} {max(t):8.0f} {mine - median:+10.0f} {mine / median:10.3f} "
          f"{least - min(t):+21.0f}")
once, java = times["C++, method looked up once"], times["Session.run() from Java"]
print(f"\nSession.run() above the C++ loop: {statistics.median(java) - statistics.median(once):+.0f} ns, of the lowest {min(java) - min(once):+.0f} ns")
PY
