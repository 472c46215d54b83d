# The runtime that homi links into every program: libc.bc (musl and the glibc shim) and kernel.bc (the modelled
# kernel), both LLVM 19 bitcode in .deps/runtime. Beside them the native library that harnesses are linked with for
# replays, in .deps/runtime/lib.

# -ffreestanding: no pass may invent calls into libc. Debug information stays, so that a report about the kernel
# has places; paths are relative to the repository, so that equal sources give equal bitcode.
KERNEL_FLAGS='-std=gnu11 -O1 -g -ffreestanding -fno-builtin -fno-stack-protector -fno-pic -emit-llvm -fno-ident'

libc_build() {
  "$HOMI_ROOT/runtime/musl/build.sh"
}

# linked_build NAME FLAGS [FOLDER]: NAME.bc of scripts/lib/NAME.mk in .deps/runtime, or in a folder there.
linked_build() {
  local name=$1 flags=$2 result=$HOMI_DEPS/runtime${3:+/$3}
  local work=$result/$name
  rm -rf "$work"
  mkdir -p "$work"
  quietly "$HOMI_DEPS/log/$name.log" make -C "$HOMI_ROOT" -j"$HOMI_JOBS" -f "scripts/lib/$name.mk" \
    WORK="$work" FLAGS="$flags" || fail "$name.bc could not be compiled" "see .deps/log/$name.log"
  mv "$work/$name.bc" "$result/$name.bc"
}

# The modelled kernel.
kernel_build() {
  linked_build kernel "$KERNEL_FLAGS"
}

# What a native image of a program has besides libc.bc and kernel.bc.
image_build() {
  linked_build image "${KERNEL_FLAGS/-O1 -g/-O2}"
}

# The library below C++ (exceptions, types, operator new). Its rules name the language's standard themselves.
cxxabi_build() {
  linked_build cxxabi "${KERNEL_FLAGS#* }"
}

libc_32_build() {
  "$HOMI_ROOT/runtime/musl/build.sh" i386
}

kernel_32_build() {
  linked_build kernel "$KERNEL_FLAGS -m32" i386
}

# replay_library_build [FOLDER FLAG]: libhomi-replay, and the same under the name that KLEE's has, in .deps/runtime/lib, or in a
# folder of .deps/runtime with one flag more.
replay_library_build() {
  local lib=$HOMI_DEPS/runtime/${1:+$1/}lib source=$HOMI_ROOT/runtime/replay/klee_runtime.c
  local flags="${2:-} -std=gnu11 -O2 -g -fPIC -Wall -Wextra -I$HOMI_ROOT/runtime/include"
  rm -rf "$lib"
  mkdir -p "$lib"
  gcc $flags -c "$source" -o "$lib/replay.o"
  ar rcs "$lib/libhomi-replay.a" "$lib/replay.o"
  gcc ${2:-} -shared -Wl,-soname,libhomi-replay.so "$lib/replay.o" -o "$lib/libhomi-replay.so"
  gcc ${2:-} -shared -Wl,-soname,libkleeRuntest.so.1.0 "$lib/replay.o" -o "$lib/libkleeRuntest.so.1.0"
  ln -s libkleeRuntest.so.1.0 "$lib/libkleeRuntest.so"
  rm "$lib/replay.o"
}

replay_library_32_build() {
  replay_library_build i386 -m32
}

# The same for 32-bit programs, in .deps/runtime/i386. The native library only where gcc makes such programs
# (gcc-multilib); nothing else needs it.
setup_runtime_32() {
  local runtime=$HOMI_ROOT/runtime here=$HOMI_ROOT/scripts/lib
  mkdir -p "$HOMI_DEPS/runtime/i386"
  step libc-32 "$(hash_of "$runtime/musl" "$runtime/glibc")" "$HOMI_DEPS/runtime/i386/libc.bc" libc_32_build
  step kernel-32 "$(hash_of "$runtime/kernel" "$runtime/include" "$here/runtime.sh" "$here/kernel.mk")" \
    "$HOMI_DEPS/runtime/i386/kernel.bc" kernel_32_build
  if printf '#include <stdio.h>\nint main(void) { return 0; }\n' | gcc -m32 -x c - -o /dev/null 2>/dev/null; then
    step replay-library-32 "$(hash_of "$runtime/replay/klee_runtime.c" "$runtime/include" "$here/runtime.sh")" \
      "$HOMI_DEPS/runtime/i386/lib/libkleeRuntest.so.1.0" replay_library_32_build
  fi
}

setup_runtime() {
  local runtime=$HOMI_ROOT/runtime here=$HOMI_ROOT/scripts/lib
  mkdir -p "$HOMI_DEPS/runtime"
  step libc "$(hash_of "$runtime/musl" "$runtime/glibc")" "$HOMI_DEPS/runtime/libc.bc" libc_build
  if [ -d "$runtime/kernel" ]; then
    step kernel "$(hash_of "$runtime/kernel" "$runtime/include" "$here/runtime.sh" "$here/kernel.mk")" \
      "$HOMI_DEPS/runtime/kernel.bc" kernel_build
  fi
  step image "$(hash_of "$runtime/image" "$runtime/include" "$here/runtime.sh" "$here/image.mk")" \
    "$HOMI_DEPS/runtime/image.bc" image_build
  step cxxabi "$(hash_of "$runtime/cxx" "$runtime/include" "$here/runtime.sh" "$here/cxxabi.mk")" \
    "$HOMI_DEPS/runtime/cxxabi.bc" cxxabi_build
  step replay-library "$(hash_of "$runtime/replay/klee_runtime.c" "$runtime/include" "$here/runtime.sh")" \
    "$HOMI_DEPS/runtime/lib/libkleeRuntest.so.1.0" replay_library_build
}
