# Whole-program bitcode by wllvm, shared by the subjects. Needs common.sh, apt.sh and python.sh.

# need_clang VERSION: installs clang of this version and its llvm-link.
need_clang() {
  [ -x "/usr/lib/llvm-$1/bin/llvm-link" ] && have "clang-$1" || apt_install "clang-$1" "llvm-$1"
}

# Flags of all bitcode: no optimisation, but nothing that keeps homi's own passes from their work.
BITCODE_CFLAGS='-g -O0 -Xclang -disable-O0-optnone'
WLLVM=$HOMI_DEPS/wllvm/bin/wllvm

# use_wllvm VERSION: lets wllvm compile with clang of this version.
use_wllvm() {
  export LLVM_COMPILER=clang LLVM_COMPILER_PATH=/usr/lib/llvm-$1/bin PYTHONPATH=$HOMI_DEPS/wllvm
}

# extract_bitcode EXECUTABLE FOLDER: FOLDER/NAME.bc. wllvm goes by the paths of the objects that the linker took.
extract_bitcode() {
  quietly "$HOMI_DEPS/log/extract-bc.log" "$HOMI_DEPS/wllvm/bin/extract-bc" "$1" -o "$2/${1##*/}.bc" ||
    fail "no bitcode of ${1##*/}" "see .deps/log/extract-bc.log"
}
