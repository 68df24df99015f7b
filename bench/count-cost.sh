#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# What counting a model through the hook costs, beside one plain forward in the same process, in turns.
#
#   bench/count-cost.sh MODEL SHAPE...        SHAPE as for --input
set -eu
here=$(cd "$(dirname "$0")" && pwd)
home=$(dirname "$here")
. "$here/native.sh"
exec java -Dorg.bytedeco.javacpp.pathsFirst=true "-Djava.library.path=$native:$home/target/classes:$native/lib" \
  "-Dorg.bytedeco.javacpp.platform.preloadpath=$native:$native/lib" \
  -cp "$home/target/classes:$home/target/lib/*" "$here/CountCost.java" "$@"
