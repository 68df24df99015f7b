#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A 100 Hz loop: a synthetic camera, the demo policy (a transformer), an actuator; its monitor and its black box.
#
#   examples/control-loop/run.sh [--fault slow-stage|alloc-storm|cpu-hog] [--seconds N]
#
# From the third second on the fault disturbs the loop. At the end it prints the snapshot, and what the black box put the
# missed deadlines down to.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
home=$(cd "$here/../.." && pwd)
. "$home/bench/native.sh"
# docs/embedding.md has the reasons for each option. A heap this small makes the allocation storm felt.
exec java -Xms96m -Xmx96m -XX:+AlwaysPreTouch -XX:+UseSerialGC -XX:-UsePerfData \
  -Dorg.bytedeco.javacpp.pathsFirst=true "-Djava.library.path=$native:$home/target/classes:$native/lib" \
  "-Dorg.bytedeco.javacpp.platform.preloadpath=$native:$native/lib" \
  -cp "$home/target/classes:$home/target/lib/*" "$here/ControlLoop.java" "$@"
