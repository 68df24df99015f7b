#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# torch.export programs by rpx-agent's runner, by nativert and as TorchScript: one process each model, in turns, one
# thread, medians. And a program of one small relu beside the call that it makes.
#
#   bench/exported.sh MODELS_DIR [ROUNDS]      MODELS_DIR holds export_NAME.pt2 and NAME.pt
set -eu
here=$(cd "$(dirname "$0")" && pwd)
home=$(dirname "$here")
models=$1
rounds=${2:-30}
. "$here/native.sh"
lib=$native/lib
include=$lib/../include
[ -d "$include/torch" ] || include=$home/cppbuild/headers
program=$native/bench-exported
if [ ! -x "$program" ] || [ "$here/exported.cpp" -nt "$program" ] || [ "$native/librpx.so" -nt "$program" ]; then
  "${CXX:-c++}" -std=c++17 -O2 -w -isystem "$include" -isystem "$include/torch/csrc/api/include" "$here/exported.cpp" \
    -o "$program" -L"$native" -lrpx -L"$lib" -ltorch_cpu -ltorch -lc10 "-Wl,-rpath,$native:$lib"
fi
flat=$(mktemp)
trap 'rm -f "$flat"' EXIT
export OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1

# measure FILE.pt2 FILE.pt|- ROUNDS SHAPE...
measure() {
  java -cp "$home/target/classes:$home/target/lib/*" "$here/Flatten.java" "$1" >"$flat"
  "$program" "$flat" "$@" 2>/dev/null
}

echo "p50 of one forward, $rounds rounds in turns, one thread; the last column is ours / the best of the others."
printf '%-20s %12s %12s %12s %8s\n' model 'rpx-agent ms' 'nativert ms' 'TorchScript' ratio
for each in resnet18:1x3x224x224 mobilenet_v2:1x3x224x224 vit_b_16:1x3x224x224 unet:1x3x480x640 detector_csp:1x3x640x640 \
  policy_transformer:1x50x32; do
  name=${each%%:*}
  measure "$models/export_$name.pt2" "$models/$name.pt" "$rounds" "${each#*:}" | awk -v name="$name" '
    { ms[$1] = $2 / 1e6 }
    END { best = ms["nativert"]; if (ms["TorchScript"] < best) best = ms["TorchScript"]
          printf "%-20s %12.3f %12.3f %12.3f %8.3f\n", name, ms["rpx-agent"], ms["nativert"], ms["TorchScript"], ms["rpx-agent"] / best }'
done
measure "$home/src/test/resources/exported/relu.pt2" - 20000 4x4 relu | awk '
  { ns[$1] = $2 } END { printf "one relu of 4x4: %d ns by rpx-agent, %d ns by nativert, %d ns as a direct call\n", ns["rpx-agent"], ns["nativert"], ns["direct"] }'
