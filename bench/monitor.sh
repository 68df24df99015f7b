#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# What the monitor costs a loop, by JMH: medians of bursts of 500 calls, beside an empty method and the clock alone.
#
#   bench/monitor.sh [JMH OPTION]...          as -f 1, or a pattern of benchmarks
set -eu
here=$(cd "$(dirname "$0")" && pwd)
build=$(dirname "$here")/target/bench-monitor
mvn -q -B -ntp -f "$here/monitor/pom.xml" package -Dmaven.test.skip=true
java -cp "$build/classes:$build/lib/*" org.openjdk.jmh.Main -rf json -rff "$build/result.json" "$@" >"$build/log" 2>&1 || {
  cat "$build/log" >&2
  exit 1
}
"${PYTHON:-python3}" - "$build/result.json" <<'EOF'
import json, sys

runs = {}
for run in json.load(open(sys.argv[1])):
    at = run["primaryMetric"]["scorePercentiles"]
    runs[run["benchmark"].rsplit(".", 1)[1]] = (at["50.0"], at["0.0"], at["95.0"])
print(f"{'':22} {'median':>8} {'lowest':>8} {'p95':>8} {'above':>8}   ns per call")
for name, figures in runs.items():
    base = "fiveClocks" if name.startswith("cycle") else "empty"
    above = "" if name == base or base not in runs else f"{figures[0] - runs[base][0]:8.1f}   over {base}"
    print(f"{name:22} {figures[0]:8.1f} {figures[1]:8.1f} {figures[2]:8.1f} {above}")
EOF
