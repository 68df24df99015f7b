# SPDX-License-Identifier: Apache-2.0
# Sourced with $home set: builds what is missing and sets $native to the folder of this machine's libraries, those for
# RPX_LIBTORCH where it names one.
"$home/rpx-agent" --version >/dev/null
case $(uname -s)-$(uname -m) in
  Linux-x86_64) native=$home/cppbuild/linux-x86_64 ;;
  Linux-*) native=$home/cppbuild/linux-arm64 ;;
  Darwin-x86_64) native=$home/cppbuild/macosx-x86_64 ;;
  *) native=$home/cppbuild/macosx-arm64 ;;
esac
# As the launcher names it.
[ -z "${RPX_LIBTORCH:-}" ] || native=$native-$(cd "$RPX_LIBTORCH" && pwd | cksum | cut -d ' ' -f 1)
