# SPDX-License-Identifier: Apache-2.0
"""What check.sh runs: see there."""
import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile

import torch

RUNS = 300
WARM_UP = 50
parser = argparse.ArgumentParser()
parser.add_argument("agent")
parser.add_argument("libtorch")
parser.add_argument("--json")
args = parser.parse_args()
demos = os.path.join(os.path.dirname(os.path.abspath(args.agent)), "src/main/resources/org/rpx/agent/demo")
MODELS = [
    ("resnet18.pt", ["1x3x224x224"]),
    ("resnet18.pt", ["8x3x224x224"]),
    ("mobilenet_v2.pt2", []),
    ("policy_transformer.pt2", []),
]
rows = []


def row(model, check, ours, theirs, passed):
    rows.append({"model": model, "check": check, "ours": ours, "theirs": theirs,
                 "verdict": "passed" if passed else "FAILED"})


def agent(*words):
    """Exit code, report or None, stderr of one run of the agent."""
    with tempfile.TemporaryDirectory() as folder:
        report = os.path.join(folder, "r.json")
        run = subprocess.run([args.agent, "--libtorch", args.libtorch, *words, "--json", report, "--quiet"],
                             stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        read = json.load(open(report)) if os.path.exists(report) else None
        return run.returncode, read, run.stderr.strip()


def load(path):
    if path.endswith(".pt2"):
        program = torch.export.load(path)
        return program.module().cuda(), [t.cuda() for t in program.example_inputs[0]]
    return torch.jit.load(path, map_location="cuda").eval(), None


def python(path, shapes):
    """Median of events around each forward in ms, and the allocator's high water in MiB."""
    module, inputs = load(path)
    if shapes:
        inputs = [torch.rand([int(n) for n in s.split("x")], device="cuda") for s in shapes]
    with torch.inference_mode():
        for _ in range(WARM_UP):
            module(*inputs)
        torch.cuda.synchronize()
        torch.cuda.reset_peak_memory_stats()
        pairs = [(torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)) for _ in range(RUNS)]
        for start, end in pairs:
            start.record()
            module(*inputs)
            end.record()
        torch.cuda.synchronize()
        peak = torch.cuda.max_memory_allocated() / 2**20
    return statistics.median(s.elapsed_time(e) for s, e in pairs), peak


def compare(name, shapes):
    path = os.path.join(demos, name)
    words = [w for s in shapes for w in ("--input", s)]
    label = name + (" " + " ".join(shapes) if shapes else "")
    code, counted, err = agent("count", path, *words)
    if code:
        row(label, "count on the CPU", f"exit {code}: {err}", "exit 0", False)
        return
    # In turns, so that clocks hit both alike: the medians of three each.
    ours, theirs, peaks = [], [], []
    for _ in range(3):
        code, report, err = agent("measure", path, *words, "--device", "cuda", "--iterations", str(RUNS))
        if code:
            row(label, "measure on CUDA", f"exit {code}: {err}", "exit 0", False)
            return
        ours.append(report["tier3"]["p50_ms"])
        ms, peak = python(path, shapes)
        theirs.append(ms)
        peaks.append(peak)
    mine, other = statistics.median(ours), statistics.median(theirs)
    row(label, "p50 by events within 2 %", f"{mine:.4f} ms", f"{other:.4f} ms", abs(mine / other - 1) <= 0.02)
    peak = report["tier3"]["peak"]["cuda_mb"]
    row(label, "allocator's peak equal", f"{peak} MiB", f"{peaks[-1]} MiB", peak == peaks[-1])
    row(label, "FLOPs equal the CPU's", report["tier1"]["flops"], counted["tier1"]["flops"],
        report["tier1"]["flops"] == counted["tier1"]["flops"])
    gpu = torch.cuda.get_device_name(0)
    bound = next((b for b in report["tier2"] if b["gpu"].lower().replace("-", " ") in gpu.lower().replace("-", " ")), None)
    if bound:
        row(label, "measured above the bound", f"{mine:.4f} ms", f"{bound['latency_ms']:.4f} ms",
            mine >= bound["latency_ms"])


def out_of_memory():
    """With all but 640 MiB of the device taken: a count goes to the CPU, a measurement says so in one line."""
    holder = subprocess.Popen(
        [sys.executable, "-c",
         "import torch, sys\n"
         "x = torch.empty(max(0, torch.cuda.mem_get_info()[0] - (640 << 20)), dtype=torch.uint8, device='cuda')\n"
         "print('held', flush=True); sys.stdin.read()"],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    try:
        holder.stdout.readline()
        path, shape = os.path.join(demos, "resnet18.pt"), "64x3x480x640"
        code, report, err = agent("measure", path, "--input", shape, "--device", "cuda", "--iterations", "5")
        row("resnet18.pt " + shape, "too large to time: exit 4, one line", f"exit {code}: {err[:60]}", "exit 4",
            code == 4 and len(err.splitlines()) == 1)
        code, report, err = agent("count", path, "--input", shape, "--device", "cuda")
        codes = [w["code"] for w in report["warnings"]] if report else []
        row("resnet18.pt " + shape, "too large to count there: counted on the CPU", f"exit {code}, {codes}",
            "COUNTED_ON_CPU", code == 0 and "COUNTED_ON_CPU" in codes)
    finally:
        holder.communicate("")


if not torch.cuda.is_available():
    print("no CUDA device here: nothing was checked")
    sys.exit(3)
for name, shapes in MODELS:
    compare(name, shapes)
out_of_memory()
print(f"{torch.cuda.get_device_name(0)}, torch {torch.__version__}, CUDA {torch.version.cuda}\n")
print("| model | check | rpx-agent | Python | |\n|---|---|---|---|---|")
for r in rows:
    print(f"| {r['model']} | {r['check']} | {r['ours']} | {r['theirs']} | {r['verdict']} |")
if args.json:
    with open(args.json + ".part", "w") as out:
        json.dump({"device": torch.cuda.get_device_name(0), "torch": torch.__version__, "rows": rows}, out, indent=2)
    os.replace(args.json + ".part", args.json)
sys.exit(any(r["verdict"] == "FAILED" for r in rows))
