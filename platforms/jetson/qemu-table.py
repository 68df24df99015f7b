"""One Markdown table of reports: python3 qemu-table.py REPORTS MODELS VERSION... (see try-under-qemu.sh)."""
import json
import math
import os
import sys

REPORTS, MODELS, VERSIONS = sys.argv[1], sys.argv[2], sys.argv[3:]
# What tier 1 says of the model itself: it must not depend on the processor, nor on LibTorch.
KEYS = ("params", "trainable_params", "buffers", "flops", "macs", "flops_by_op", "uncounted_ops", "traffic", "activations")


def path(name):
    return os.path.join(REPORTS, name)


def load(name):
    if not os.path.exists(path(name)):
        return None
    with open(path(name), encoding="utf-8") as file:
        return json.load(file)


def lines(name):
    with open(path(name), encoding="utf-8") as file:
        return file.read().splitlines()


def shown(tier1, key):
    return "none" if tier1 is None else f"{tier1[key]:,}"


def row(version, number, command, model):
    """The cells of a row, and whether all of it is right."""
    here, report = load(f"x86-{number}.json")["tier1"], load(f"{version}-{number}.json")
    there = report["tier1"] if report else None
    wrong = [key + " differ" for key in KEYS if there and there[key] != here[key]]
    code = lines(f"{version}-{number}.exit")[0]
    p50 = "not timed"
    if command == "measure":
        value = report["tier3"]["p50_ms"] if report else None
        p50 = "finite" if value is not None and math.isfinite(value) and value > 0 else "none"
    if code != "0" or p50 == "none":
        wrong += [line for line in lines(f"{version}-{number}.err") if line.startswith("rpx-agent: ")] or ["exit " + code]
    cells = [version, command, os.path.basename(model), shown(here, "params"), shown(there, "params")]
    cells += [shown(here, "flops"), shown(there, "flops"), p50, code, "; ".join(wrong) or "yes"]
    return cells, bool(there) and not wrong


right = True
print("| LibTorch | command | model | parameters, x86-64 | arm64 | FLOPs, x86-64 | arm64 | p50 | exit | all counts equal |")
print("|---|---|---|---|---|---|---|---|---|---|")
for version in VERSIONS:
    with open(MODELS, encoding="utf-8") as models:
        for number, words in enumerate(models, 1):
            cells, good = row(version, number, *words.split()[:2])
            right = right and good
            print("| " + " | ".join(cells) + " |")
sys.exit(0 if right else 1)
