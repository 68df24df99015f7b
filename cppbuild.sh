#!/bin/sh
# Gives native/ one LibTorch and builds it into cppbuild/<platform><extension>/.
#
#   cppbuild.sh [--platform P] [--extension E] [--libtorch DIR] [install|test-libraries|test|clean]
#
# Without --libtorch (or RPX_LIBTORCH): bytedeco's libraries, with the headers of the same version from a wheel.
# With it: that LibTorch's headers and libraries (DIR holds include/ and lib/, as an installed torch package does), in
# a folder of its own unless --extension names one.
# --platform linux-arm64 cross-compiles on another Linux, where --libtorch names an arm64 LibTorch (docs/native.md).
# The folder then holds librpx, librpxenv, libjnijavacpp, and lib/ with LibTorch (or a link to it). "test-libraries"
# adds test/librpxsim, the accelerator of the tests, and libtestops, custom ops.
set -eu
cd "$(dirname "$0")"

die() { echo "cppbuild: $*" >&2; exit 1; }
step() { echo "cppbuild: $*" >&2; }
need() { command -v "$1" >/dev/null 2>&1 || die "$1 is missing: install $2 (see Prerequisites in README.md)"; }

host() {
  case "$(uname -m)" in
    x86_64 | amd64) arch=x86_64 ;;
    aarch64 | arm64) arch=arm64 ;;
    *) die "no build for the processor $(uname -m)" ;;
  esac
  case "$(uname -s)" in
    Linux) echo "linux-$arch" ;;
    Darwin) echo "macosx-$arch" ;;
    *) die "no build for $(uname -s): use Linux or macOS" ;;
  esac
}

platform= extension= libtorch=${RPX_LIBTORCH:-} action=install named=no
while [ $# -gt 0 ]; do
  case $1 in
    --*=*)
      option=${1%%=*} value=${1#*=}
      shift
      set -- "$option" "$value" "$@"
      continue ;;
    --platform | --extension | --libtorch)
      [ $# -ge 2 ] || die "$1 needs a value"
      case $1 in
        --platform) platform=$2 ;;
        --extension) extension=$2 named=yes ;;
        --libtorch) libtorch=$2 ;;
      esac
      shift ;;
    install | test-libraries | test | clean) action=$1 ;;
    *) die "unknown argument $1: cppbuild.sh [--platform P] [--extension E] [--libtorch DIR] [install|test-libraries|test|clean]" ;;
  esac
  shift
done
[ -n "$platform" ] || platform=$(host)
if [ -n "$libtorch" ]; then
  [ -d "$libtorch" ] || die "no such folder: $libtorch (--libtorch, RPX_LIBTORCH)"
  libtorch=$(cd "$libtorch" && pwd)
  # A folder of its own for each, as the launcher reckons it too.
  [ "$named" = yes ] || extension=-$(echo "$libtorch" | cksum | cut -d ' ' -f 1)
fi
out=cppbuild/$platform$extension
if [ "$action" = clean ]; then rm -rf "$out"; exit 0; fi

# The compiler of another platform than this machine's; CXX and CC name a different one.
tools= tools_package=
if [ "$platform" = linux-arm64 ] && [ "$(host)" != linux-arm64 ]; then
  tools=aarch64-linux-gnu- tools_package=g++-aarch64-linux-gnu
fi
CXX=${CXX:-${tools:+${tools}g++}} CC=${CC:-${tools:+${tools}gcc}}
CXX=${CXX:-c++} CC=${CC:-cc}
case $platform in
  macosx-*) so=dylib shared="-dynamiclib -undefined dynamic_lookup" name=-Wl,-install_name,@rpath/ ;;
  *) so=so shared=-shared name=-Wl,-soname, ;;
esac

# GCC 12 takes what LibTorch 2.7's headers do for one, inlined into sources that have none.
quiet=-Wno-stringop-overflow
case $("$CXX" --version 2>/dev/null) in *clang*) quiet= ;; esac

# compile FOLDER OBJECTS OPTIMISATION: each of its sources, side by side.
compile() {
  mkdir -p "$2"
  for source in "$1"/*.cpp; do echo "$source"; done |
    xargs -P "$(getconf _NPROCESSORS_ONLN)" -I SOURCE sh -c '
      name=$(basename "$1" .cpp) && shift && exec "$@" -c "'"$1"'/$name.cpp" -o "'"$2"'/$name.o"' sh SOURCE \
      "$CXX" "-std=c++$standard" $abi "$3" -fPIC -Wall -Wextra -Wno-unused-parameter $quiet -isystem "$include" -isystem "$include/torch/csrc/api/include" ||
    die "$1/ does not compile (above)"
}

# A library apart, which no product knows: tests load it as one of custom ops.
simulator() {
  sim=$({ cat native/test/sim/* cppbuild.sh; echo "$libtorch"; } | cksum)
  [ "$(cat "$out/test/stamp" 2>/dev/null)" != "$sim" ] || return 0
  step "compiling the simulated accelerator"
  rm -rf "$out/test"
  compile native/test/sim "$out/test/objects" -O1
  "$CXX" $shared "${name}librpxsim.$so" -o "$out/test/librpxsim.$so" "$out/test/objects"/*.o "-L$out/lib" -ltorch_cpu -lc10 "-Wl,-rpath-link,$out/lib" ||
    die "native/test/sim/ does not link (above)"
  echo "$sim" >"$out/test/stamp"
}

# What this LibTorch wants of whoever compiles against it.
standard=17 abi=
if [ -n "$libtorch" ]; then
  lib=$libtorch/lib include=$libtorch/include
  [ -f "$include/torch/csrc/jit/api/module.h" ] || die "no LibTorch headers in $include: --libtorch wants the folder of an installed torch package"
  [ -f "$lib/libtorch_cpu.$so" ] || die "no libtorch_cpu.$so in $lib: --libtorch wants the folder of an installed torch package"
  # The processor that an ELF file is for: two bytes at 18, of which the first says it.
  case $platform-$(od -An -tu1 -j18 -N1 "$lib/libtorch_cpu.$so" 2>/dev/null | tr -d ' ') in
    linux-x86_64-62 | linux-arm64-183 | macosx-*) ;;
    *-62) die "$libtorch is a LibTorch for x86-64, not for $platform: name one that was made for $platform" ;;
    *-183) die "$libtorch is a LibTorch for arm64, not for $platform: name one that was made for $platform" ;;
    *) die "$lib/libtorch_cpu.$so is no library for $platform: name a LibTorch that was made for it" ;;
  esac
  # As its own CMake files say it.
  if grep -Eqs 'CXX_STANDARD 20|cxx_std_20' "$libtorch"/share/cmake/Torch/TorchConfig.cmake; then standard=20; fi
  # The old ABI of std::string, of official builds until 2.6, for arm64 too: how a function that takes one is called in the library.
  if LC_ALL=C grep -qas _ZN3c106detail14torchCheckFailEPKcS2_jRKSs "$lib"/libc10.so; then abi=-D_GLIBCXX_USE_CXX11_ABI=0; fi
else
  lib=$PWD/$out/lib include=$PWD/cppbuild/headers
fi

# A library of custom ops, for the tests in Java.
custom_ops() {
  ops=$out/libtestops.$so
  if [ ! "$ops" -nt native/test/custom_ops.cpp ]; then
    "$CXX" "-std=c++$standard" $abi -O1 -fPIC $shared -isystem "$include" -isystem "$include/torch/csrc/api/include" \
      native/test/custom_ops.cpp -o "$ops" "-L$out/lib" -ltorch_cpu -lc10 "-Wl,-rpath-link,$out/lib" ||
      die "native/test/custom_ops.cpp does not compile (above)"
  fi
}

# The tests of native/: each a program that ends with 0 where all is right.
run_tests() {
  custom_ops
  for source in native/test/*_test.cpp; do
    program=$out/$(basename "$source" .cpp)
    "$CXX" "-std=c++$standard" $abi -O1 -Wall -Wextra -Wno-unused-parameter -isystem "$include" "$source" -o "$program" "-L$out" "-L$out/lib" \
      -lrpxenv -lrpx -lc10 "-Wl,-rpath,$PWD/$out" "-Wl,-rpath,$PWD/$out/lib" "-Wl,-rpath-link,$out/lib" ||
      die "$source does not compile (above)"
    LD_LIBRARY_PATH=$PWD/$out/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH} "$program" src/test/resources/models >&2 ||
      die "$source failed (above)"
  done
  step "native tests passed"
  exit 0
}

# What the build depends on; where it is as it was, there is nothing to do.
want=$({ cat native/*.h native/*.c native/*.cpp native/headers.txt platforms/cpu/pom.xml cppbuild.sh; echo "$libtorch"; [ -z "$libtorch" ] || cat "$lib"/libc10.* "$include/torch/version.h" 2>/dev/null || :; } | cksum)
if [ "$(cat "$out/stamp" 2>/dev/null)" = "$want" ]; then
  touch "$out/stamp"
  [ "$action" != test-libraries ] || { simulator; custom_ops; }
  [ "$action" = test ] || exit 0
  run_tests
fi

need "$CXX" "${tools_package:-a C++$standard compiler}"
need "$CC" "${tools_package:-a C compiler}"
need python3 "Python 3 with pip"
mkdir -p "$out"

# unpack ARCHIVE FOLDER PREFIX SUFFIX: its members below PREFIX with SUFFIX in their file name; "flat" drops their folders.
unpack() {
  python3 - "$@" <<'PY'
import os, shutil, sys, zipfile
archive, folder, prefix, part, flat = sys.argv[1], sys.argv[2], sys.argv[3], sys.argv[4], sys.argv[5:] == ["flat"]
with zipfile.ZipFile(archive) as z:
    for name in z.namelist():
        if name.startswith(prefix) and part in os.path.basename(name) and not name.endswith("/") and ".." not in name:
            target = os.path.join(folder, os.path.basename(name) if flat else os.path.relpath(name, prefix))
            os.makedirs(os.path.dirname(target), exist_ok=True)
            with z.open(name) as source, open(target + ".part", "wb") as sink:
                shutil.copyfileobj(source, sink)
            os.replace(target + ".part", target)
PY
}

jars=cppbuild/jars-$platform
# fetch WHAT GOAL OPTIONS...: into $jars by Maven's dependency plugin.
fetch() {
  need mvn "Maven"
  step "fetching $1"
  shift
  mvn -q -B "$@" "-DoutputDirectory=$PWD/$jars" >"$out/fetch.log" 2>&1 ||
    die "bytedeco's jars could not be fetched, see $out/fetch.log: check the network, or set a proxy in ~/.m2/settings.xml"
}
if [ -z "$libtorch" ]; then
  ls "$jars"/pytorch-*-"$platform".jar >/dev/null 2>&1 || fetch "bytedeco's libraries" \
    -f platforms/cpu/pom.xml dependency:copy-dependencies "-Djavacpp.platform=$platform" -DincludeGroupIds=org.bytedeco
elif ! ls "$jars"/javacpp-*-"$platform".jar >/dev/null 2>&1; then
  # JavaCPP's own library alone: LibTorch is the one named.
  version=$(sed -n 's:.*<javacpp\.version>\(.*\)</javacpp\.version>.*:\1:p' pom.xml)
  fetch "JavaCPP's library" dependency:copy "-Dartifact=org.bytedeco:javacpp:$version:jar:$platform"
fi
ls "$jars"/javacpp-*-"$platform".jar >/dev/null 2>&1 || die "bytedeco has no libraries for $platform: name a LibTorch with --libtorch DIR or RPX_LIBTORCH"
for jar in "$jars"/javacpp-*-"$platform".jar; do unpack "$jar" "$out" org/bytedeco/javacpp/ libjnijavacpp flat; done

if [ -n "$libtorch" ]; then
  rm -rf "$out/lib"
  ln -s "$lib" "$out/lib"
else
  ls "$jars"/pytorch-*-"$platform".jar >/dev/null 2>&1 || die "bytedeco has no LibTorch for $platform: name one with --libtorch DIR or RPX_LIBTORCH"
  [ ! -L "$lib" ] || rm "$lib"
  if [ ! -f "$lib/complete" ]; then
    step "unpacking LibTorch"
    for jar in "$jars"/pytorch-*-"$platform".jar "$jars"/openblas-*-"$platform".jar; do
      unpack "$jar" "$lib" org/bytedeco/ lib flat
    done
    rm -f "$lib"/libjni*  # bytedeco's own bindings, which nothing here loads
    : >"$lib/complete"
  fi
  if [ ! -f "$include/complete" ]; then
    step "fetching LibTorch's headers (79 MB)"
    rm -rf cppbuild/wheel "$include"
    python3 -m pip --version >/dev/null 2>&1 || die "pip is missing: install python3-pip (see Prerequisites in README.md)"
    python3 -m pip download -q --disable-pip-version-check --require-hashes --no-deps --only-binary=:all: \
      --platform macosx_11_0_arm64 --python-version 311 -r native/headers.txt -d cppbuild/wheel >"$out/fetch.log" 2>&1 ||
      die "LibTorch's headers could not be fetched, see $out/fetch.log: check the network, or set HTTPS_PROXY for pip"
    for wheel in cppbuild/wheel/torch-*.whl; do unpack "$wheel" "$include" torch/include/ .; done
    rm -rf cppbuild/wheel
    : >"$include/complete"
  fi
fi

"$CXX" "-std=c++$standard" -fsyntax-only -x c++ /dev/null 2>/dev/null ||
  die "$CXX cannot compile C++$standard, which this LibTorch is written in: install g++ 10 or later, or name another compiler with CXX"
step "compiling native/${libtorch:+ against $libtorch}"
objects=$out/objects
rm -rf "$objects"  # those of sources that are gone would be linked too
mkdir -p "$objects"
"$CC" -O2 -fPIC -Wall -Wextra $shared "${name}librpxenv.$so" -o "$out/librpxenv.$so" native/env.c || die "native/env.c does not compile (above)"
compile native "$objects" -O2
# Its own name in it, so that whoever links to it finds the copy that is loaded already: the hook registers once.
# What it lacks in another LibTorch than this is to be said when it is loaded, not end the process when it is called.
[ "$so" = dylib ] || shared="$shared -Wl,-z,now"
# torch.libs is where some wheels keep what LibTorch needs, which a cross linker doesn't look up by itself.
"$CXX" $shared "${name}librpx.$so" -o "$out/librpx.$so" "$objects"/*.o -L"$lib" -ltorch_cpu -lc10 "-Wl,-rpath-link,$lib:$lib/../../torch.libs" || die "native/ does not link (above)"
# An AOTInductor package wants libtorch, which is empty but for the libraries that it names: in a CUDA build all of CUDA.
if [ -n "$libtorch" ] && [ "$so" = so ]; then
  "$CC" $shared "${name}libtorch.so" -Wl,--no-as-needed -o "$out/libtorch.so" -L"$lib" -ltorch_cpu -lc10 "-Wl,-rpath-link,$lib:$lib/../../torch.libs" || die "libtorch.so does not link (above)"
fi
echo "$want" >"$out/stamp"
[ "$action" != test-libraries ] || { simulator; custom_ops; }
[ "$action" != test ] || run_tests
