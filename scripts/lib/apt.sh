# Debian packages that homi needs: installation, and download of their sources.
# Binary packages come through the machine's own apt configuration; sources through a private source list, so
# that nothing of the user's apt configuration is changed and no deb-src line is needed.

# Each line: a proof of its presence (a command or a file), then the package.
HOMI_TOOLS='
/usr/lib/llvm-19/bin/llvm-config llvm-19-dev
/usr/lib/llvm-19/bin/opt llvm-19
clang-19 clang-19
gcc gcc
g++ g++
gcov gcc
file file
make make
/usr/lib/x86_64-linux-gnu/libjemalloc_pic.a libjemalloc-dev
xz xz-utils
flock util-linux
/usr/include/stdio.h libc6-dev
python3 python3
csmith csmith
/usr/include/csmith/csmith.h libcsmith-dev
'

apt_updated=
# apt_install PACKAGE...
apt_install() {
  have apt-get || fail "missing packages: $*" "this is not Debian; install the equivalents of: $*"
  [ "$(id -u)" = 0 ] || have sudo ||
    fail "missing Debian packages, and neither root nor sudo to install them: $*" \
      "as root: apt-get update && apt-get install -y $*    then start this again as yourself"
  note "installing with apt-get: $*"
  if [ -z "$apt_updated" ]; then
    quietly "$HOMI_DEPS/log/apt-update.log" as_root apt-get update ||
      note "warning: apt-get update failed; trying with the package lists at hand"
    apt_updated=yes
  fi
  quietly "$HOMI_DEPS/log/apt-install.log" as_root env DEBIAN_FRONTEND=noninteractive \
    apt-get install -y --no-install-recommends "$@" ||
    fail "apt-get could not install: $*" "run 'apt-get update && apt-get install $*' as root and read its message"
}

# have_tool PROOF: a path that exists or a command on PATH.
have_tool() {
  case $1 in
  /*) [ -e "$1" ] ;;
  *) have "$1" ;;
  esac
}

# Other versions of clang: tests read bitcode of the oldest one supported, benchmarks use 16 (as KLEE's do). Also
# the libraries of `gcc -m32`, for the native side of tests of 32-bit programs; homi's runtime does not need them.
HOMI_COMPILERS='
/usr/share/doc/gcc-multilib gcc-multilib
clang-14 clang-14
/usr/lib/llvm-14/bin/llvm-link llvm-14
clang-16 clang-16
/usr/lib/llvm-16/bin/llvm-link llvm-16
'

# newest_llvm: the newest version of LLVM above 19 that the machine's apt offers and homi has a feature for.
newest_llvm() {
  local version
  for version in 23 22 21 20; do
    [ -n "$(apt-cache policy "llvm-$version-dev" 2>/dev/null | awk '/Candidate:/ && $2 != "(none)"')" ] || continue
    printf '%s\n' "$version"
    return
  done
  return 1
}

# Installs this LLVM and its clang; homi itself needs only 19.
setup_newest_llvm() {
  local version start
  start=$(seconds)
  if version=$(newest_llvm); then
    # libpolly: llvm-config names it among the libraries, but no package of LLVM brings it along.
    install_missing newest-llvm "/usr/lib/llvm-$version/bin/llvm-config llvm-$version-dev
/usr/lib/llvm-$version/lib/libPolly.a libpolly-$version-dev
clang-$version clang-$version"
    say "build a homi that reads bitcode of clang $version and older with:"
    say "  cargo build --release --no-default-features --features llvm$version"
    return
  fi
  fail "apt offers no LLVM newer than 19" "apt.llvm.org has packages of newer versions"
}

# install_missing NAME TABLE
install_missing() {
  local start proof package missing=''
  start=$(seconds)
  while read -r proof package; do
    [ -z "$proof" ] || have_tool "$proof" || missing="$missing $package"
  done <<<"$2"
  if [ -n "$missing" ]; then
    # shellcheck disable=SC2086 # a list of words
    apt_install $missing
  fi
  say "[$1] in place ($(elapsed "$start"))"
}

setup_tools() {
  have cargo || fail "cargo is missing" "install Rust: https://rustup.rs, then open a new shell"
  install_missing tools "$HOMI_TOOLS"
}

setup_compilers() {
  install_missing compilers "$HOMI_COMPILERS"
}

# Only tests of pages want it, and it is large.
setup_browser() {
  install_missing browser 'chromium chromium'
}

# apt_source PACKAGE VERSION DIRECTORY: download (not unpack) the upstream tarball of a source package of Debian 12. An empty
# VERSION is whichever Debian 12 has.
apt_source() {
  local package=$1 version=$2 directory=$3 private=$HOMI_DEPS/apt
  have apt-get || fail "apt-get is missing, cannot fetch the source of $package" "run on Debian or Ubuntu"
  mkdir -p "$private/lists/partial" "$private/cache/archives/partial" "$directory"
  printf 'deb-src %s bookworm main\n' "${HOMI_DEBIAN_MIRROR:-http://deb.debian.org/debian}" >"$private/sources.list"
  local options=(
    -o "Dir::Etc::SourceList=$private/sources.list" -o Dir::Etc::SourceParts=/dev/null
    -o "Dir::State::lists=$private/lists" -o "Dir::Cache=$private/cache" -o APT::Sandbox::User=
  )
  if [ -z "$(find "$private/lists" -name '*_Sources*' -print -quit)" ]; then
    quietly "$HOMI_DEPS/log/apt-source-update.log" apt-get "${options[@]}" update ||
      fail "the source list of Debian 12 could not be read" \
        "check the network and http://deb.debian.org/debian (HOMI_DEBIAN_MIRROR selects another mirror)"
  fi
  (cd "$directory" && quietly "$HOMI_DEPS/log/apt-source-$package.log" \
    apt-get "${options[@]}" source --tar-only --download-only "$package${version:+=$version}") ||
    fail "the source of $package $version could not be fetched" \
      "rm -r $private and try again; if Debian moved on to another version, the pin in scripts/lib needs an update"
}
