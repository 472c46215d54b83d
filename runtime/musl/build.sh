#!/usr/bin/env bash
# Builds .deps/runtime/libc.bc: musl 1.2.3 with homi's overlay and the glibc shim, as LLVM bitcode.
# `build.sh i386` builds .deps/runtime/i386/libc.bc, the same for 32-bit programs.
# Called by `scripts/setup runtime`; may be run by hand after a change (rebuilds what changed).
set -euo pipefail
here=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd -P)
. "$here/../../scripts/lib/common.sh"
. "$HOMI_ROOT/scripts/lib/apt.sh"
. "$HOMI_ROOT/scripts/lib/subjects.sh"

musl_version=1.2.3
musl_sha256=7d5b0b6062521e4627e099e4c9dc8248d32a30285e959b7eecaa780cf8cfd4a4
tarball=$HOMI_DEPS/sources/musl_$musl_version.orig.tar.gz
machine=${1:-x86_64}
work=$HOMI_DEPS/runtime/musl
result=$HOMI_DEPS/runtime
if [ "$machine" = i386 ]; then
  work=$HOMI_DEPS/runtime/i386/musl
  result=$HOMI_DEPS/runtime/i386
fi

if [ ! -e "$tarball" ]; then
  start=$(seconds)
  apt_source musl "$musl_version-1" "$HOMI_DEPS/sources"
  note "fetched musl $musl_version ($(elapsed "$start"))"
fi
check_sha256 "$tarball" "$musl_sha256"

# Its copy of gnulib has GNU's regular expressions. The subjects are built from the same tarball.
if [ ! -e "$COREUTILS_TARBALL" ]; then
  start=$(seconds)
  apt_source coreutils "$COREUTILS_VERSION-1" "$HOMI_DEPS/sources"
  note "fetched coreutils $COREUTILS_VERSION ($(elapsed "$start"))"
fi
check_sha256 "$COREUTILS_TARBALL" "$COREUTILS_SHA256"

mkdir -p "$work"
python3 "$here/prepare.py" "$tarball" "$COREUTILS_TARBALL" "$work/tree" "$machine"
# A copy that is only written when it differs: make compiles everything again when this file is newer.
cmp -s "$here/libc.mk" "$work/libc.mk" || cp "$here/libc.mk" "$work/libc.mk"
start=$(seconds)
quietly "$HOMI_DEPS/log/libc.log" make -j"$HOMI_JOBS" -k -f "$work/libc.mk" MACHINE="$machine" \
  TREE="$work/tree" OBJ="$work/obj" CLANG=clang-19 OPT=/usr/lib/llvm-19/bin/opt LINK=/usr/lib/llvm-19/bin/llvm-link ||
  fail "libc.bc could not be built" "see .deps/log/libc.log; if a compiler was interrupted, rm -r $work and try again"
note "compiled and linked ($(elapsed "$start"))"

# The file that the engine loads changes only when it is whole.
cp "$work/obj/libc.bc" "$result/libc.bc.new"
mv "$result/libc.bc.new" "$result/libc.bc"
