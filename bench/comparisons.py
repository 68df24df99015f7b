# SPDX-License-Identifier: Apache-2.0
"""How often `rpx-agent compare` is right where the truth is known: a model beside itself, and beside one with a layer
more, 34 of equal cost for 33, which is 3.03 % slower. Live, live beside a process that keeps one core busy, and from
saved reports of five processes each. Prints one table.

    python-that-has-torch bench/comparisons.py [--rounds 20] [--duration 5s]
"""
import argparse
import collections
import json
import os
import subprocess
import sys
import tempfile

import torch

parser = argparse.ArgumentParser()
parser.add_argument("--rounds", type=int, default=20)
parser.add_argument("--duration", default="5s", help="of each live comparison")
parser.add_argument("--only", choices=["live", "busy", "saved"])
args = parser.parse_args()
agent = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "rpx-agent")
SHAPE = "32x512"


def save(layers, path):
    torch.manual_seed(1)
    each = []
    for _ in range(layers):
        each += [torch.nn.Linear(512, 512), torch.nn.ReLU()]
    torch.jit.script(torch.nn.Sequential(*each).eval()).save(path)


def run(*words):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "r.json")
        subprocess.run([agent, *words, "--json", path, "--quiet"], check=True, stdout=subprocess.DEVNULL)
        return json.load(open(path))


def found(comparison):
    other = comparison["others"][0]
    flagged = any(w["code"] == "OVERSUBSCRIBED" for w in other["warnings"])
    return other["figures"][0]["verdict"], other["figures"][0]["change"], flagged


def live(first, second, seed):
    return found(run("compare", first, second, "--input", SHAPE, "--duration", args.duration, "--seed", str(seed)))


def saved(first, second, folder, i):
    for name, model in (("a", first), ("b", second)):
        report = run("measure", model, "--input", SHAPE, "--repeats", "5", "--iterations", "300")
        json.dump(report, open(os.path.join(folder, f"{name}.json"), "w"))
    return found(run("compare", os.path.join(folder, "a.json"), os.path.join(folder, "b.json")))


with tempfile.TemporaryDirectory() as folder:
    base, slower = os.path.join(folder, "base.pt"), os.path.join(folder, "slower.pt")
    save(33, base)
    save(34, slower)
    rows = []
    for how in [args.only] if args.only else ["live", "busy", "saved"]:
        busy = subprocess.Popen([sys.executable, "-c", "while True: pass"]) if how == "busy" else None
        try:
            for name, other in (("itself", base), ("3 % slower", slower)):
                verdicts, changes, flags = collections.Counter(), [], 0
                for i in range(args.rounds):
                    verdict, change, flagged = saved(base, other, folder, i) if how == "saved" else live(base, other, i)
                    verdicts[verdict] += 1
                    changes.append(change)
                    flags += flagged
                    said = "OVERSUBSCRIBED" if flagged else ""
                    print(how, name, i, verdict, f"{100 * change:+.2f} %", said, file=sys.stderr)
                rows.append((how, name, dict(verdicts), sorted(changes)[len(changes) // 2], flags))
        finally:
            if busy:
                busy.kill()
print("| how | beside | verdicts | median change | flagged as OVERSUBSCRIBED |\n|---|---|---|---|---|")
for how, name, verdicts, change, flags in rows:
    text = ", ".join(f"{v} {n}" for v, n in sorted(verdicts.items()))
    print(f"| {how} | {name} | {text} | {100 * change:+.2f} % | {flags} |")
