#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Checks rpx-agent on a real CUDA device against Python on the same LibTorch, in at most 6 minutes: prints one table, and
# JSON with --json FILE. Ends with 1 where a check fails, with 3 where there is no device to check.
#
#   PYTHON=python-that-has-torch bench/hardware/check.sh [--json FILE]
#
# The models are the agent's own demos; Python's torch is also the LibTorch that the agent runs on.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
python=${PYTHON:-python3}
libtorch=$("$python" -c 'import os, torch; print(os.path.dirname(torch.__file__))') || {
  echo "check.sh: $python has no torch: name one that has with PYTHON=" >&2
  exit 2
}
exec "$python" "$here/check.py" "$here/../../rpx-agent" "$libtorch" "$@"
