# Things fetched from PyPI with pip, each pinned by version and SHA-256: the Z3 library and wllvm.
# They go into .deps, never into a Python environment of the user.

Z3_REQUIREMENT='z3-solver==5.4.0.0 --hash=sha256:0549ffad554178a59480ba41b5279cfbb27053ed5a2da269ae1a48214d5db34b'
WLLVM_REQUIREMENT='wllvm==1.3.1 --hash=sha256:eaf9e319a8d6b56c0f43dbe118823c9e1901e5a733f4e34d44ffc26852f62091'

need_pip() {
  python3 -m pip --version >/dev/null 2>&1 || apt_install python3 python3-pip
}

# pip_unpack REQUIREMENT DIRECTORY: install one wheel without dependencies into DIRECTORY (made new).
pip_unpack() {
  local requirement=$1 directory=$2 file
  file=$HOMI_DEPS/requirement.$$.txt
  rm -rf "$directory"
  printf '%s\n' "$requirement" >"$file"
  quietly "$HOMI_DEPS/log/pip.log" python3 -m pip install --quiet --no-input --no-deps --no-compile \
    --only-binary=:all: --require-hashes --target "$directory" -r "$file"
  local status=$?
  rm -f "$file"
  return $status
}

z3_install() {
  need_pip
  local fresh=$HOMI_DEPS/z3.new
  if [ "$(uname -m)" = x86_64 ] && pip_unpack "$Z3_REQUIREMENT" "$fresh"; then
    rm -rf "$HOMI_DEPS/z3"
    mv "$fresh/z3" "$HOMI_DEPS/z3"
    rm -rf "$fresh"
    # The wheel holds the 29 MB library twice, because wheels cannot hold links.
    local versioned
    for versioned in "$HOMI_DEPS"/z3/lib/libz3.so.*; do
      ln -sf "$(basename "$versioned")" "$HOMI_DEPS/z3/lib/libz3.so"
    done
    z3_write_pkg_config 5.4.0
    note "Z3 5.4.0 (PyPI z3-solver, hash-checked) in .deps/z3/lib"
  else
    rm -rf "$fresh"
    note "warning: no Z3 5.4 from PyPI (see .deps/log/pip.log); falling back to Debian's libz3-dev, which is older"
    note "warning: than the z3 crate's minimum 4.13.3 and slower. To try again: rm -r .deps/z3; scripts/setup z3"
    apt_install libz3-dev
    mkdir -p "$HOMI_DEPS/z3/lib"
    local library
    library=$(ldconfig -p | awk '/libz3\.so(\.4)? / { print $NF; exit }')
    [ -n "$library" ] || fail "libz3-dev is installed but libz3.so is not found" "apt-get install --reinstall libz3-dev"
    ln -sf "$library" "$HOMI_DEPS/z3/lib/libz3.so"
    ln -sf "$library" "$HOMI_DEPS/z3/lib/libz3.so.4"
    z3_write_pkg_config 4.8.12
  fi
}

# z3-sys asks pkg-config first, and Debian's libz3-dev (which llvm-19-dev pulls in) would answer and win over
# Z3_LIBRARY_PATH_OVERRIDE. .cargo/config.toml therefore puts this folder in front of pkg-config's.
z3_write_pkg_config() {
  mkdir -p "$HOMI_DEPS/z3/lib/pkgconfig"
  cat >"$HOMI_DEPS/z3/lib/pkgconfig/z3.pc" <<TEXT
libdir=\${pcfiledir}/..
Name: z3
Description: Z3 solver library installed by scripts/setup
Version: $1
Libs: -L\${libdir} -lz3
TEXT
}

setup_z3() {
  step z3 "$(hash_of "$HOMI_ROOT/scripts/lib/python.sh")" "$HOMI_DEPS/z3/lib/libz3.so" z3_install
}

wllvm_install() {
  need_pip
  pip_unpack "$WLLVM_REQUIREMENT" "$HOMI_DEPS/wllvm" ||
    fail "wllvm could not be installed from PyPI" "check that pip reaches its index: python3 -m pip download wllvm==1.3.1"
}

setup_wllvm() {
  step wllvm "$(printf '%s' "$WLLVM_REQUIREMENT" | sha256sum)" "$HOMI_DEPS/wllvm/bin/wllvm" wllvm_install
}
