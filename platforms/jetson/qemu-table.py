"""One Markdown table of reports: python3 qemu-table.py REPORTS MODELS VERSION... (see try-under-qemu.sh)."""
import json
import math
import os
import sys

REPORTS, MODELS, VERSIONS = sys.argv[1], sys.argv[2], sys.argv[3:]


def load(name):
    path = os.path.join(REPORTS, name)
    return json.load(open(path)) if os.path.exists(path) else None


def counts(report):
    """What must not depend on the processor: everything of tier 1 that is a number of the model."""
    tier1 = report["tier1"]
    keys = ("params", "trainable_params", "buffers", "flops", "macs", "flops_by_op", "uncounted_ops", "traffic", "activations")
    return {key: tier1[key] for key in keys}


def shown(value):
    return "n/a" if value is None else f"{value:,}"


def row(version, number, model):
    """The cells, and whether all of it is right."""
    here = counts(load(f"x86-{number}.json"))
    codes = [open(os.path.join(REPORTS, f"{version}-{number}-{c}.exit")).read().strip() for c in ("count", "measure")]
    count, measure = (load(f"{version}-{number}-{c}.json") for c in ("count", "measure"))
    wrong = []
    there = {"params": None, "flops": None}
    for name, report in (("count", count), ("measure", measure)):
        if report is None:
            wrong.append(f"{name}: no report")
            continue
        there = counts(report)
        wrong += [f"{name}: {key} differs" for key in here if there[key] != here[key]]
    p50 = None
    if measure is not None and measure["tier3"] is not None:
        p50 = measure["tier3"]["p50_ms"]
    if p50 is None or not math.isfinite(p50) or p50 <= 0:
        wrong.append("no p50")
    if codes != ["0", "0"]:
        error = [line for c in ("count", "measure") for line in open(os.path.join(REPORTS, f"{version}-{number}-{c}.err")) if line.startswith("rpx-agent: ")]
        wrong.append("exit " + " and ".join(codes) + (": " + error[0].strip() if error else ""))
    cells = [version, os.path.basename(model)]
    cells += [shown(here["params"]), shown(there["params"]), shown(here["flops"]), shown(there["flops"])]
    return cells + ["finite" if "no p50" not in wrong else "none", " and ".join(codes), "; ".join(wrong) or "yes"], not wrong


right = True
print("| LibTorch | model | parameters, x86-64 | arm64 | FLOPs, x86-64 | arm64 | p50 | exit codes | all counts equal |")
print("|---|---|---|---|---|---|---|---|---|")
for version in VERSIONS:
    for number, line in enumerate(open(MODELS), 1):
        cells, good = row(version, number, line.split()[0])
        right = right and good
        print("| " + " | ".join(cells) + " |")
sys.exit(0 if right else 1)
