#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares what `rpx-agent count` reports with known values, for each TorchScript file of a folder.

    bench/counts.py MODELS_DIR [--heavy] [--only PART]

MODELS_DIR holds expected.json: `models`, a list with file, format, inputs and the values. An input is a tensor (shape,
dtype, and fill or int_range where it has to hold that) or has items of its own, by key or in order. Exit status 1 if
any value differs. RPX_AGENT names another launcher than ../rpx-agent.
"""
import argparse
import json
import os
import pathlib
import subprocess
import sys

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


def count(folder, model):
    command = [str(AGENT), "count", str(folder / model["file"]), "--json", "-", "--quiet"]
    for value in model["inputs"]:
        command += ["--input", said(value)]
    done = subprocess.run(command, text=True, capture_output=True)
    if done.returncode:
        raise RuntimeError((done.stderr.strip().splitlines() or ["no message"])[0])
    return json.loads(done.stdout)["tier1"]


def expected(model):
    """What is known of the file, which may run other operators than the program it was made of."""
    of_file = lambda where, key: where.get(key + "_of_file", where.get(key))
    values = {key: of_file(model, key) for key in ("params", "trainable_params", "buffers", "flops", "macs")}
    values["compulsory_bytes"] = of_file(model["traffic"], "compulsory_bytes")
    values["activation_peak_bytes"] = of_file(model, "activation_peak_bytes")
    return {key: value for key, value in values.items() if value is not None}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=pathlib.Path, metavar="MODELS_DIR")
    parser.add_argument("--heavy", action="store_true", help="run the slow ones too")
    parser.add_argument("--only", default="", metavar="PART", help="files whose name holds PART")
    options = parser.parse_args()
    models = json.loads((options.folder / "expected.json").read_text())["models"]
    models = [m for m in models if m["format"] == "torchscript" and options.only in m["file"]]

    print("rpx-agent count against known values: FLOPs of one forward, with FlopCounterMode's beside them; the verdict is")
    print("also of params, trainable_params, buffers, macs, compulsory_bytes and activation_peak_bytes.\n")
    print(f"{'file':36} {'ours':>17} {'expected':>17} {'FlopCounterMode':>17}  verdict")
    wrong, skipped, theirs = 0, 0, 0
    for model in models:
        want, ours = expected(model), None
        other = model.get("flop_counter_mode")
        if model.get("heavy") and not options.heavy:
            verdict = "skipped: heavy (--heavy runs it)"
            skipped += 1
        else:
            try:
                tier1 = count(options.folder, model)
                got = {**tier1, **tier1["traffic"], "activation_peak_bytes": tier1["activations"]["liveness_peak_bytes"]}
                ours = got["flops"]
                off = [f"{key} {got[key]} not {want[key]}" for key in want if got[key] != want[key]]
                if not tier1["flops_complete"]:
                    off.append("flops incomplete: " + ", ".join(tier1["uncounted_ops"]))
                verdict = "; ".join(off) or "equal"
            except RuntimeError as e:
                verdict = f"failed: {e}"
            wrong += verdict != "equal"
            theirs += other is not None and other != want["flops"]
        show = lambda n: "-" if n is None else f"{n:,}"
        print(f"{model['file']:36} {show(ours):>17} {show(want['flops']):>17} {show(other):>17}  {verdict}", flush=True)
    ran = len(models) - skipped
    print(f"\n{len(models)} files: {ran - wrong} equal, {wrong} differ or failed, {skipped} skipped. "
          f"FlopCounterMode's FLOPs differ in {theirs} of the {ran} that ran.")
    return wrong > 0


if __name__ == "__main__":
    sys.exit(main())
