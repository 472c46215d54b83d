# The programs that homi is tested and measured on: GNU coreutils 9.1, built three times from one configuration,
# so that all three have the same config.h:
#   bc-N/TOOL.bc    whole-program bitcode by wllvm and clang N (HOMI_CLANG, default 19), -O0 and -g
#   native/TOOL     gcc -O1: the oracle of differential tests
#   gcov/src/TOOL   gcc --coverage: replay counts its branches
# Only the tools asked for are built. All below .deps/subjects/coreutils-9.1.

COREUTILS_VERSION=9.1
COREUTILS_SHA256=61a1f410d78ba7e7f37a5a4f50e6d1320aca33375484a3255eddf17a38580423
COREUTILS_TARBALL=$HOMI_DEPS/sources/coreutils_$COREUTILS_VERSION.orig.tar.xz
COREUTILS=$HOMI_DEPS/subjects/coreutils-$COREUTILS_VERSION
COREUTILS_TOOLS='echo cat wc tr cut head tail expr factor sort uniq nl paste od stat ls printf seq basename dirname pr
  dd ptx vdir ginstall rm test true false yes comm join fold expand unexpand tac tsort md5sum cksum sum date pwd sleep
  mkdir touch ln cp mv chmod rmdir dircolors env id uname numfmt shuf split csplit fmt du'
# Further tools that need no privileges, for `scripts/setup subjects all`.
COREUTILS_OTHERS='arch b2sum base32 base64 basenc chcon chgrp chown chroot df dir groups hostid kill link logname mkfifo mknod
  mktemp nice nohup nproc pathchk pinky printenv readlink realpath runcon sha1sum sha224sum sha256sum sha384sum sha512sum
  shred stdbuf stty sync tee timeout truncate tty unlink uptime users who whoami ['

# No optional libraries, and the portable C of wc, cksum and factor instead of processor-specific code: with
# it the native run would take other branches than the interpreted one. 9.1's configure has no option that
# omits the code of wc and cksum, so its answers are reverted.
COREUTILS_CONFIGURE=(--quiet --disable-dependency-tracking --disable-nls --disable-libcap --without-libgmp
  --without-openssl --disable-acl --disable-xattr --without-selinux --with-included-regex)
COREUTILS_UNDEFINED='USE_AVX2_WC_LINECOUNT USE_PCLMUL_CRC32'
COREUTILS_CPPFLAGS=-DUSE_LONGLONG_H=0

coreutils_fetch() {
  [ -e "$COREUTILS_TARBALL" ] || apt_source coreutils "$COREUTILS_VERSION-1" "$HOMI_DEPS/sources"
  check_sha256 "$COREUTILS_TARBALL" "$COREUTILS_SHA256"
  rm -rf "$COREUTILS/source"
  mkdir -p "$COREUTILS/source"
  tar -C "$COREUTILS/source" --strip-components=1 -xf "$COREUTILS_TARBALL"
}

# One configured build folder; the three builds start as copies of it, so earlier builds are removed.
coreutils_configure() {
  local macro
  rm -rf "$COREUTILS"/{configured,build-*,bc-*,native,gcov}
  mkdir -p "$COREUTILS/configured"
  (cd "$COREUTILS/configured" && quietly "$HOMI_DEPS/log/coreutils-configure.log" env FORCE_UNSAFE_CONFIGURE=1 \
    CC=gcc CFLAGS=-O1 CPPFLAGS="$COREUTILS_CPPFLAGS" ../source/configure "${COREUTILS_CONFIGURE[@]}") ||
    fail "coreutils could not be configured" "see .deps/log/coreutils-configure.log"
  for macro in $COREUTILS_UNDEFINED; do
    sed -i "/^#define $macro\\>/d" "$COREUTILS/configured/lib/config.h"
  done
  # Headers that other files include are made once, here.
  printf 'homi-headers: $(BUILT_SOURCES)\n' >"$COREUTILS/configured/headers.mk"
  quietly "$HOMI_DEPS/log/coreutils-headers.log" make -C "$COREUTILS/configured" -j"$HOMI_JOBS" \
    -f Makefile -f headers.mk homi-headers ||
    fail "coreutils' generated headers could not be made" "see .deps/log/coreutils-headers.log"
}

# coreutils_make FOLDER CC CFLAGS TARGET...: make in FOLDER, a copy of the configured folder beside it.
coreutils_make() {
  local folder=$1 cc=$2 cflags=$3 total
  shift 3
  if [ ! -e "$folder/Makefile" ]; then
    mkdir -p "$folder"
    cp -a "$COREUTILS/configured/." "$folder"
  fi
  # Files that make would compile; automake says "CC" of each file.
  total=$(make -n -C "$folder" CC="$cc" CFLAGS="$cflags" "$@" 2>/dev/null | grep -c '  CC  ' || true)
  quietly_counted "$HOMI_DEPS/log/coreutils-$(basename "$folder").log" '^  CC  ' "${total:-0}" \
    make -C "$folder" -j"$HOMI_JOBS" CC="$cc" CFLAGS="$cflags" "$@" ||
    fail "coreutils could not be built in $folder: $*" \
      "see .deps/log/coreutils-$(basename "$folder").log; rm -r $folder and try again"
}

bitcode_build() {
  local version=$1 folder=$COREUTILS/build-bc-$1 tool
  shift
  use_wllvm "$version"
  coreutils_make "$folder" "$WLLVM" "$BITCODE_CFLAGS" "${@/#/src/}"
  mkdir -p "$COREUTILS/bc-$version"
  for tool in "$@"; do
    extract_bitcode "$folder/src/$tool" "$COREUTILS/bc-$version"
  done
}

native_build() {
  local tool
  coreutils_make "$COREUTILS/build-native" gcc '-g -O1' "${@/#/src/}"
  mkdir -p "$COREUTILS/native"
  for tool in "$@"; do
    cp "$COREUTILS/build-native/src/$tool" "$COREUTILS/native/$tool"
  done
}

gcov_build() {
  coreutils_make "$COREUTILS/gcov" gcc '-g -O0 --coverage' "${@/#/src/}"
}

# missing FOLDER SUFFIX TOOL...: the tools that FOLDER lacks.
missing() {
  local folder=$1 suffix=$2 tool
  shift 2
  for tool in "$@"; do
    [ -e "$folder/$tool$suffix" ] || printf '%s ' "$tool"
  done
}

# setup_subjects [TOOL...]
setup_subjects() {
  local clang=${HOMI_CLANG:-19} wanted start
  # shellcheck disable=SC2206 # a list of words
  local tools=(${*:-$COREUTILS_TOOLS})
  # shellcheck disable=SC2206
  [ "$*" != all ] || tools=($COREUTILS_TOOLS $COREUTILS_OTHERS)
  need_clang "$clang"
  mkdir -p "$HOMI_DEPS/sources"
  step coreutils-source "$COREUTILS_SHA256" "$COREUTILS/source/configure" coreutils_fetch
  step coreutils-configure "${COREUTILS_CONFIGURE[*]} $COREUTILS_CPPFLAGS $COREUTILS_UNDEFINED" "$COREUTILS/configured/Makefile" \
    coreutils_configure
  # A tool that is built stays: there is nothing that could change below a configuration.
  for wanted in "bc-$clang .bc bitcode_build $clang" "native : native_build" "gcov/src : gcov_build"; do
    subjects_part $wanted "${tools[@]}"
  done
}

# subjects_part FOLDER SUFFIX FUNCTION [CLANG] TOOL... A second concurrent set-up waits: two makes in one folder compile the
# same objects at once, and gcov then finds programs and notes of different builds.
subjects_part() {
  local folder=$1 suffix=${2#:} function=$3 start absent arguments=() part_lock
  shift 3
  if [ "$function" = bitcode_build ]; then
    arguments=("$1")
    shift
  fi
  start=$(seconds)
  exec {part_lock}>"$HOMI_DEPS/stamps/coreutils-${folder//\//-}.lock"
  flock "$part_lock"
  absent=$(missing "$COREUTILS/$folder" "$suffix" "$@")
  if [ -n "$absent" ]; then
    say "[coreutils $folder] building $absent..."
    # shellcheck disable=SC2086
    "$function" "${arguments[@]}" $absent
    say "[coreutils $folder] done ($(elapsed "$start"))"
  else
    say "[coreutils $folder] in place ($(elapsed "$start"))"
  fi
  exec {part_lock}>&-
}
