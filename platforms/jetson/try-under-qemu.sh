#!/bin/sh
# The agent for linux-arm64 without a board: cross-built against official LibTorch wheels, run by its own launcher with an
# arm64 JDK under qemu's user emulation, its counts compared with this machine's. Prints one table; ends with 1 where a
# row is not right. Needs no root and about 3 GB below cppbuild/qemu, which may be deleted.
#
#   try-under-qemu.sh [VERSION...]     of qemu-wheels.txt; all of them without one
set -eu
cd "$(dirname "$0")"
lists=$PWD
cd ../..
project=$PWD

die() { echo "try-under-qemu: $*" >&2; exit 1; }
step() { echo "try-under-qemu: $*" >&2; }
need() { command -v "$1" >/dev/null 2>&1 || die "$1 is missing: sudo apt-get install $2"; }

[ "$(uname -s)" = Linux ] || die "this needs Linux"
[ "$(uname -m)" != aarch64 ] || die "this machine is arm64: run ./rpx-agent itself"
need qemu-aarch64-static qemu-user-static
need aarch64-linux-gnu-g++ g++-aarch64-linux-gnu
need dpkg dpkg
need apt-get apt
need mvn maven
need python3 python3-pip
[ $# -gt 0 ] || set -- $(sed -n 's/^torch==\([^ ]*\) .*/\1/p' "$lists/qemu-wheels.txt")
for version; do
  grep -q "^torch==$version " "$lists/qemu-wheels.txt" || die "no LibTorch $version: qemu-wheels.txt has those that can be tried"
done
unset RPX_LIBTORCH RPX_JAVA_OPTS

cache=$project/cppbuild/qemu
mkdir -p "$cache/logs"

# Debian's packages, by an apt of its own: its state is in the cache, its sources and keys are this machine's.
root=$cache/root
if [ ! -d "$root" ]; then
  step "fetching an arm64 JDK and C library (47 MB)"
  apt=$cache/apt
  mkdir -p "$apt/lists/partial" "$apt/archives/partial"
  : >"$apt/status"
  cat >"$apt/apt.conf" <<EOF
APT::Architecture "arm64";
APT::Architectures "arm64";
APT::Sandbox::User "$(id -un)";
Dir::State "$apt";
Dir::State::status "$apt/status";
Dir::Cache "$apt";
EOF
  log=$cache/logs/apt.log
  APT_CONFIG=$apt/apt.conf apt-get update >"$log" 2>&1 || die "apt-get update failed, see $log: check the network"
  rm -rf "$root.part"
  grep -v '^#' "$lists/qemu-packages.txt" | while read -r name version sum; do
    (cd "$apt/archives" && APT_CONFIG=$apt/apt.conf apt-get download "$name=$version") >>"$log" 2>&1 ||
      die "no $name $version for arm64, see $log: this needs the package sources of Debian 12 (its container will do)"
    file=$(ls "$apt/archives/${name}_"*_arm64.deb)
    echo "$sum  $file" | sha256sum -c --status || die "$file is not the file that qemu-packages.txt names: delete it"
    dpkg -x "$file" "$root.part" || die "$file cannot be unpacked"
  done
  # Absolute links would lead out of the root: the JDK's to its settings.
  find "$root.part" -type l -lname '/*' | while read -r link; do
    ln -sfn "$root$(readlink "$link")" "$link"
  done
  rm -rf "$apt"
  mv "$root.part" "$root"
fi

# The board: what the launcher asks for, uname and java, as it would be there.
board=$cache/board
mkdir -p "$board/bin" "$board/jdk/bin"
cat >"$board/bin/uname" <<'EOF'
#!/bin/sh
case ${1:-} in -m) echo aarch64 ;; -sm) echo Linux aarch64 ;; *) PATH=${PATH#*:} exec uname "$@" ;; esac
EOF
# Of qemu's processors the default one and cortex-a72 end in an illegal instruction inside LibTorch.
cat >"$board/jdk/bin/java" <<EOF
#!/bin/sh
exec qemu-aarch64-static -cpu neoverse-n1 -L "$root" "$root/usr/lib/jvm/java-17-openjdk-arm64/bin/java" "\$@"
EOF
chmod +x "$board/bin/uname" "$board/jdk/bin/java"
PATH=$board/bin:$PATH JAVA_HOME=$board/jdk "$board/jdk/bin/java" -version >"$cache/logs/java.log" 2>&1 ||
  die "the arm64 JDK does not run under qemu, see $cache/logs/java.log"

# libtorch VERSION: its folder, from the wheel.
libtorch() {
  folder=$cache/torch-$1
  if [ ! -d "$folder" ]; then
    step "fetching LibTorch $1"
    rm -rf "$folder.part" "$cache/wheel"
    grep "^torch==$1 " "$lists/qemu-wheels.txt" >"$cache/requirement.txt"
    python3 -m pip download -q --disable-pip-version-check --require-hashes --no-deps --only-binary=:all: --python-version 311 \
      --platform manylinux_2_28_aarch64 --platform manylinux2014_aarch64 -r "$cache/requirement.txt" -d "$cache/wheel" >"$cache/logs/pip.log" 2>&1 ||
      die "LibTorch $1 could not be fetched, see $cache/logs/pip.log: check the network, or set HTTPS_PROXY for pip"
    python3 - "$folder.part" "$cache"/wheel/*.whl <<'PY'
import sys, zipfile
with zipfile.ZipFile(sys.argv[2]) as wheel:
    wanted = ("torch/lib/", "torch/include/", "torch/share/", "torch.libs/")
    wheel.extractall(sys.argv[1], [name for name in wheel.namelist() if name.startswith(wanted)])
PY
    rm -rf "$cache/wheel" "$cache/requirement.txt"
    mv "$folder.part" "$folder"
  fi
  echo "$folder/torch"
}

# The sources in a folder of their own, so that the project's build for this machine stays as it is.
home=$cache/home
mkdir -p "$home"
(cd "$home" && rm -rf src native platforms)
for each in .mvn pom.xml cppbuild.sh rpx-agent native platforms src; do cp -Rp "$project/$each" "$home/"; done

# native LIBTORCH: what the launcher has built on the board, here by a cross compiler.
native() {
  (cd "$home" && RPX_LIBTORCH=$1 sh ./cppbuild.sh --platform linux-arm64 install) || die "the cross build failed (above)"
}

# package LIBTORCH: the jar, which is the same for every one of them.
package() {
  step "building the jar"
  extension=-$(echo "$1" | cksum | cut -d ' ' -f 1)
  (cd "$home" && RPX_LIBTORCH=$1 mvn -q -B -ntp package -DskipTests -Plinux-arm64 "-Djavacpp.platform.extension=$extension") \
    >"$cache/logs/mvn.log" 2>&1 || die "the jar could not be built, see $cache/logs/mvn.log"
  touch "$home/target/rpx-agent.jar"
}

# each COMMAND...: with a number and the words of each line of qemu-models.txt.
each() {
  number=0
  while read -r words <&3; do
    number=$((number + 1))
    # shellcheck disable=SC2086
    "$@" "$number" $words
  done 3<"$cache/models"
}

reports=$cache/reports
rm -rf "$reports"
mkdir -p "$reports"
grep -v '^#' "$lists/qemu-models.txt" >"$cache/models"

here() {
  number=$1
  shift 2
  "$project/rpx-agent" count "$@" --quiet --json "$reports/x86-$number.json" >/dev/null || die "count $* failed on this machine (above)"
}

# there VERSION LIBTORCH NUMBER COMMAND ARGUMENT...: the launcher on the board.
there() {
  report=$reports/$1-$3 folder=$2 command=$4
  step "LibTorch $1: $command $5"
  shift 4
  options=
  # As few runs as make a report.
  [ "$command" != measure ] || options="--threads 1 --warmup 1 --iterations 5"
  code=0
  # shellcheck disable=SC2086
  PATH=$board/bin:$PATH JAVA_HOME=$board/jdk RPX_LIBTORCH=$folder "$home/rpx-agent" "$command" "$@" $options --quiet --json "$report.json" \
    >/dev/null 2>"$report.err" || code=$?
  echo "$code" >"$report.exit"
}

step "counting on this machine"
each here
for version; do
  folder=$(libtorch "$version")
  native "$folder"
done
package "$folder"
# Side by side: an emulator's times mean nothing.
for version; do
  each there "$version" "$(libtorch "$version")" &
done
wait
python3 "$lists/qemu-table.py" "$reports" "$cache/models" "$@"
