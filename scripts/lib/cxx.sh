# LLVM's C++ library as bitcode: .deps/runtime/cxx/libcxx.bc and streams.bc, and its headers in .deps/runtime/cxx/include.
# On demand, since the source is that of all LLVM. What is below the library (exceptions, types, operator new) is homi's
# own (runtime/cxx). Needs common.sh and apt.sh.

CXX_VERSION=19.1.7
CXX_SHA256=ae498f3bc58ae2d9f64ef5f0c035c4240152bf015a5b7738b15c22e93bdc97ce
CXX_TARBALL=$HOMI_DEPS/sources/llvm-toolchain-19_$CXX_VERSION.orig.tar.xz

# cxx_unpack FOLDER: the two libraries' sources.
cxx_unpack() {
  if [ ! -e "$CXX_TARBALL" ]; then
    note "fetching the source of LLVM $CXX_VERSION (160 MB)"
    apt_source llvm-toolchain-19 '' "$HOMI_DEPS/sources"
  fi
  check_sha256 "$CXX_TARBALL" "$CXX_SHA256"
  rm -rf "$1"
  mkdir -p "$1"
  tar -xJf "$CXX_TARBALL" -C "$1" --strip-components=1 --wildcards \
    '*/libcxx/src/*' '*/libcxx/include/*' '*/libcxx/vendor/*' '*/libcxx/LICENSE.TXT' '*/libcxxabi/src/*' '*/libcxxabi/include/*'
  # glibc's tables of characters are fields of its locale; here they are asked for.
  sed -i -e 's/_LIBCPP_GET_C_LOCALE->__ctype_b;/*::__ctype_b_loc();/' \
    -e 's/_LIBCPP_GET_C_LOCALE->__ctype_\(tolower\|toupper\);/*::__ctype_\1_loc();/' "$1/libcxx/src/locale.cpp"
}

# cxx_headers SOURCE INCLUDE: the library's headers, configured as Debian's are.
cxx_headers() {
  rm -rf "$2"
  mkdir -p "$2"
  cp -R "$1/libcxx/include/." "$1/libcxxabi/include/." "$2"
  rm -f "$2/CMakeLists.txt" "$2/__config_site.in"
  cp "$1/libcxx/vendor/llvm/default_assertion_handler.in" "$2/__assertion_handler"
  printf '#define %s\n' '_LIBCPP_ABI_VERSION 1' '_LIBCPP_ABI_NAMESPACE __1' \
    _LIBCPP_HAS_NO_VENDOR_AVAILABILITY_ANNOTATIONS _LIBCPP_PSTL_BACKEND_STD_THREAD \
    '_LIBCPP_HARDENING_MODE_DEFAULT 2' >"$2/__config_site"
  # All headers at once, as programs written for g++ ask for them.
  mkdir -p "$2/bits"
  (cd "$2" && find . -maxdepth 1 -type f ! -name '*.*' ! -name '__*' -printf '%f\n') | sort |
    sed 's/.*/#include <&>/' >"$2/bits/stdc++.h"
}

cxx_build() {
  local result=$HOMI_DEPS/runtime/cxx work=$HOMI_DEPS/runtime/cxx/work
  mkdir -p "$result"
  rm -f "$result"/*.bc
  [ -d "$work/source/libcxx" ] || cxx_unpack "$work/source"
  cxx_headers "$work/source" "$result/include/c++/v1"
  local total
  total=$(find "$work/source/libcxx/src" -name '*.cpp' | wc -l)
  quietly_counted "$HOMI_DEPS/log/cxx.log" '^clang++' "$total" make -j"$HOMI_JOBS" -f "$HOMI_ROOT/scripts/lib/cxx.mk" \
    SOURCE="$work/source" INCLUDE="$result/include/c++/v1" OBJ="$work/obj" ||
    fail "the C++ library could not be compiled" "see .deps/log/cxx.log"
  mv "$work/obj/streams.bc" "$work/obj/libcxx.bc" "$result"
  rm -rf "$work"
}

setup_cxx() {
  step cxx "$CXX_SHA256 $(hash_of "$HOMI_ROOT/scripts/lib/cxx.sh" "$HOMI_ROOT/scripts/lib/cxx.mk")" \
    "$HOMI_DEPS/runtime/cxx/libcxx.bc" cxx_build
}
