# Public suites of tests that judge libc and kernel (scripts/check-libc --suite), into .deps/suites/NAME. They are fetched on
# demand only; no file of theirs is part of homi.

# suite_of NAME: its repository, its commit, and the folders of it that are used.
suite_of() {
  case $1 in
  libc-test) printf '%s\n' https://github.com/Boeing/libc-test f2bac7711bec93467b73bec1465579ea0b8d5071 src ;;
  posix)
    printf '%s\n' https://github.com/linux-test-project/ltp 695827725f4fc14fe583043127e0335c29bbd52d \
      testcases/open_posix_testsuite
    ;;
  *) fail "unknown suite: $1" "one of: libc-test posix glibc" ;;
  esac
}

# fetch_suite TARGET REPOSITORY COMMIT FOLDER
fetch_suite() {
  local target=$1 repository=$2 commit=$3 folder=$4 fetched=$HOMI_DEPS/suites/fetched.git
  rm -rf "$fetched"
  mkdir -p "$HOMI_DEPS/suites"
  git init --quiet --bare "$fetched"
  quietly "$HOMI_DEPS/log/suite-fetch.log" git -C "$fetched" fetch --quiet --depth 1 "$repository" "$commit" ||
    fail "commit $commit of $repository could not be fetched" \
      "check the network, or clone it elsewhere, bring the clone here, and: scripts/setup suite ${target##*/} CLONE"
  rm -rf "$target"
  mkdir -p "$target"
  git -C "$fetched" archive "$commit" "$folder" | tar -x -C "$target"
  rm -rf "$fetched"
}

# glibc's tests are in the source that Debian builds its libc from; headers that tests include from glibc's build are put
# apart, as the folder that has them has wrappers of the system's headers, too.
fetch_glibc() {
  local target=$1 unpacked=$HOMI_DEPS/suites/unpacked name
  rm -rf "$unpacked"
  mkdir -p "$unpacked"
  (cd "$unpacked" && quietly "$HOMI_DEPS/log/suite-glibc.log" apt-get download glibc-source) ||
    fail "Debian's package glibc-source could not be downloaded" \
      "run apt-get update as root; elsewhere than on Debian, put the source of the machine's glibc into $target"
  dpkg-deb -x "$unpacked"/glibc-source_*.deb "$unpacked"
  rm -rf "$target"
  mkdir -p "$target/headers"
  tar -xf "$unpacked"/usr/src/glibc/glibc-*.tar.xz -C "$target" --strip-components=1
  rm -rf "$unpacked"
  for name in array_length libc-diag scratch_buffer intprops verify libc-pointer-arith; do
    cp "$target/include/$name.h" "$target/headers"
  done
}

# setup_suite NAME [REPOSITORY]
setup_suite() {
  local name=$1 target=$HOMI_DEPS/suites/$1 facts
  if [ "$name" = glibc ]; then
    step "suite $name" "$(hash_of "$HOMI_ROOT/scripts/lib/suites.sh")" "$target" fetch_glibc "$target"
    return
  fi
  facts=$(suite_of "$name")
  set -- "${2:-}" $facts
  step "suite $name" "$3" "$target" fetch_suite "$target" "${1:-$2}" "$3" "$4"
}
