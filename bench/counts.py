#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares what `rpx-agent count` reports with known values, for each TorchScript and torch.export file of a folder.

    bench/counts.py MODELS_DIR [--heavy] [--only PART] [--device D] [--library FILE]

MODELS_DIR holds expected.json: `models`, a list with file, format, inputs and the values. An input is a tensor (shape,
dtype, and fill or int_range where it has to hold that) or has items of its own, by key or in order. Exit status 1 if
any value differs. RPX_AGENT names another launcher than ../rpx-agent.

With --device each model runs there too and has to give the FLOPs, MACs, weights and FLOPs by op of the CPU's run. A module
that takes another path there, because PyTorch's fast path is for named devices only, is held to the values of its
`slow_path`. Bytes may differ by results that a kernel there lays out otherwise: the verdict names them. A torch.export
program is counted from its graph: it is measured once there, where what ran is held against the graph.
"""
import argparse
import json
import os
import pathlib
import subprocess
import sys

# Where the known value is of another run than the file's: the reason is printed beside the verdict.
EXPLAINED = {
    ("export_policy_transformer.pt2", "total_output_bytes"): "known of the fast path, the file holds the slow one",
    ("traced_policy_lstm.pt", "unfused_bytes"): "16 bytes of a size made a tensor and read back, which TorchScript drops",
}
# What does not depend on a device, and what does by the layout of results.
COUNTS = ("params", "trainable_params", "buffers", "flops", "macs", "flops_by_op", "compulsory_bytes")
LAYOUT = ("fused_bytes", "unfused_bytes", "liveness_peak_bytes", "total_output_bytes")
AGENT = os.environ.get("RPX_AGENT", pathlib.Path(__file__).resolve().parent.parent / "rpx-agent")


def said(value):
    """An input as the command line takes it."""
    if "items" in value:
        items = value["items"]
        if isinstance(items, dict):
            return "{" + ",".join(f"{key}={said(item)}" for key, item in items.items()) + "}"
        inside = ",".join(said(item) for item in items)
        return f"[{inside}]" if value["kind"] == "list" else f"({inside})"
    text = ("x".join(map(str, value["shape"])) or "scalar") + ":" + value["dtype"]
    if "fill" in value:
        return f"{text}={json.dumps(value['fill'])}"
    if "int_range" in value:
        return "{}={}..{}".format(text, *value["int_range"])  # the upper end excluded, as there
    return text


def report(folder, model, *words):
    """The whole report of one run of the agent."""
    command = [str(AGENT), words[0], str(folder / model["file"]), "--json", "-", "--quiet", *words[1:]]
    for value in model["inputs"]:
        command += ["--input", said(value)]
    done = subprocess.run(command, text=True, capture_output=True)
    if done.returncode:
        raise RuntimeError((done.stderr.strip().splitlines() or ["no message"])[0])
    return json.loads(done.stdout)


def count(folder, model):
    return report(folder, model, "count")["tier1"]


def on_device(folder, model, options, cpu):
    """What is wrong with a run on the device beside that of the CPU, and what to say of it."""
    words = ["--device", options.device]
    if options.library:
        words += ["--library", options.library, "--allow-native-code"]
    ran = ["measure", "--iterations", "1", "--warmup", "0"] if model["format"] == "export" else ["count"]
    there = report(folder, model, *ran, *words)
    got, want, notes = found(there["tier1"]), found(cpu), []
    slow = {kind_of(op): n for op, n in model.get("slow_path", {}).get("flops_by_op", {}).items()}
    if got["flops_by_op"] != want["flops_by_op"] and got["flops_by_op"] == slow:
        want["flops_by_op"] = slow
        notes.append("by the slow path there")
    off = [f"{key} on {options.device} {got[key]} not {want[key]}" for key in COUNTS if got[key] != want[key]]
    differ = [key for key in LAYOUT if got[key] != want[key]]
    if differ:
        notes.append("there also differ " + ", ".join(differ))
    warned = {w["code"]: w["message"] for w in there["warnings"]}
    if "COUNTS_DIFFER" in warned:
        (off if "please report" in warned["COUNTS_DIFFER"] else notes).append(warned["COUNTS_DIFFER"])
    if "COUNTED_ON_CPU" in warned:
        notes.append(warned["COUNTED_ON_CPU"])
    return off, notes, "COUNTED_ON_CPU" not in warned


def expected(model):
    """What is known of the file, which may run other operators than the program it was made of."""
    of_file = lambda where, key: where.get(key + "_of_file", where.get(key))
    values = {key: of_file(model, key) for key in ("params", "trainable_params", "buffers", "flops", "macs")}
    for key in ("compulsory_bytes", "unfused_bytes"):
        values[key] = of_file(model["traffic"], key)
    values["fused_bytes"] = model["traffic"].get("anchor_fused_bytes")
    values["liveness_peak_bytes"] = of_file(model, "activation_peak_bytes")
    values["total_output_bytes"] = model["activation_sum_of_outputs_bytes"]
    # By op, where the file's ops have the names of the program's.
    values["flops_by_op"] = {kind_of(op): n for op, n in of_file(model, "flops_by_op").items()}
    return {key: value for key, value in values.items() if value is not None}


def kind_of(op):
    """One name for what has two: quantised ops stand without their namespace."""
    return op.split("::")[-1]


def found(tier1):
    by_op = {}
    for op, n in tier1["flops_by_op"].items():
        by_op[kind_of(op)] = by_op.get(kind_of(op), 0) + n
    return {**tier1, **tier1["traffic"], **tier1["activations"], "flops_by_op": by_op}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=pathlib.Path, metavar="MODELS_DIR")
    parser.add_argument("--heavy", action="store_true", help="run the slow ones too")
    parser.add_argument("--only", default="", metavar="PART", help="files whose name holds PART")
    parser.add_argument("--device", metavar="D", help="run each there too")
    parser.add_argument("--library", metavar="FILE", help="what brings the device (--library of the agent)")
    options = parser.parse_args()
    models = json.loads((options.folder / "expected.json").read_text())["models"]
    models = [m for m in models if m["format"] in ("torchscript", "export") and options.only in m["file"]]

    print("rpx-agent count against known values: FLOPs of one forward, with FlopCounterMode's beside them; the verdict is")
    print("also of params, trainable_params, buffers, macs, FLOPs by op, traffic (compulsory, unfused, and fused where it")
    print("is known) and activations (liveness peak, all outputs).\n")
    print(f"{'file':36} {'ours':>17} {'expected':>17} {'FlopCounterMode':>17}  verdict")
    wrong, skipped, theirs, elsewhere = 0, 0, 0, 0
    for model in models:
        want, ours = expected(model), None
        other = model.get("flop_counter_mode")
        if model.get("heavy") and not options.heavy:
            verdict = "skipped: heavy (--heavy runs it)"
            skipped += 1
        else:
            try:
                tier1 = count(options.folder, model)
                got = found(tier1)
                ours = got["flops"]
                differ = [key for key in want if got[key] != want[key]]
                off = [f"{key} {got[key]} not {want[key]}" for key in differ if (model["file"], key) not in EXPLAINED]
                if not tier1["flops_complete"]:
                    off.append("flops incomplete: " + ", ".join(tier1["uncounted_ops"]))
                notes, there = [], False
                if options.device:
                    differing, notes, there = on_device(options.folder, model, options, tier1)
                    off += differing
                verdict = "; ".join(off) or "equal"
                elsewhere += there
                wrong += verdict != "equal"
                verdict += "".join(f" but {key}: {EXPLAINED[model['file'], key]}" for key in differ
                                   if (model["file"], key) in EXPLAINED)
                verdict += "".join(f"; {note}" for note in notes)
            except RuntimeError as e:
                verdict = f"failed: {e}"
                wrong += 1
            theirs += other is not None and other != want["flops"]
        show = lambda n: "-" if n is None else f"{n:,}"
        print(f"{model['file']:36} {show(ours):>17} {show(want['flops']):>17} {show(other):>17}  {verdict}", flush=True)
    ran = len(models) - skipped
    print(f"\n{len(models)} files: {ran - wrong} equal, {wrong} differ or failed, {skipped} skipped. "
          f"FlopCounterMode's FLOPs differ in {theirs} of the {ran} that ran.")
    if options.device:
        print(f"{elsewhere} of them ran on {options.device}.")
    return wrong > 0


if __name__ == "__main__":
    sys.exit(main())
