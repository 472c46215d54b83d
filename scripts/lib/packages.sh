# Further subjects than coreutils, built whole on demand (`scripts/setup subject grep`): grep, gawk, sed, diffutils,
# trueprint, bc, m4, lua as Debian 12 has them, without Debian's patches. The same three builds as for coreutils, each from
# its own copy of the source, configured with the same words (lua has nothing to configure):
#   bc-N/PROGRAM.bc      whole-program bitcode by wllvm and clang N (HOMI_CLANG, default 19), -O0 and -g
#   native/PROGRAM       gcc -O1
#   gcov/bin/PROGRAM     gcc --coverage (a link; the objects and sources lie beside it in gcov/)
# All below .deps/subjects/NAME-VERSION. Needs bitcode.sh.

# NAME VERSION COMPRESSION SHA-256 of the upstream tarball, then the programs it makes.
HOMI_PACKAGES='
grep 3.8 xz 498d7cc1b4fb081904d87343febb73475cf771e424fb7e6141aff66013abc382 src/grep
gawk 5.2.1 xz 2337a0283b180ec1b9c727973a34781c6478b3ae9bcbdcca0a4dc49861d75a65 gawk
sed 4.9 xz 6e226b732e1cd739464ad6862bd1a1aba42d7982922da7a53519631d24975181 sed/sed
diffutils 3.8 xz a6bdd7d1b31266d11c4f4de6c1b748d4607ab0231af5188fc2533d0ae2438fec src/diff src/cmp src/diff3 src/sdiff
trueprint 5.4 gz 104be483905f4f4dc4b5d475389b72b6d95f12b62d796f8af31d04f51c60338f src/trueprint
bc 1.07.1 gz 62adfca89b0a1c0164c2cdca59ca210c1d44c3ffc46daf9931cf4942664cb02a bc/bc dc/dc
m4 1.4.19 xz 63aede5c6d33b6d9b13511cd0be2cac046f2e70fd0a07aa9573a04a82783af96 src/m4
lua 5.4.4 gz 164c7849653b80ae67bec4b7473b884bf5cc8d2dca05653475ec2ed27b9ebf61 src/lua
'

package_names() { awk 'NF { printf "%s ", $1 }' <<<"$HOMI_PACKAGES"; }

# package_configure_words NAME: no optional libraries, the package's own regular expressions rather than the C
# library's, so that the native run and the interpreted one execute the same code.
package_configure_words() {
  local common='--quiet --disable-dependency-tracking --disable-nls'
  case $1 in
  grep) echo "$common --disable-perl-regexp --with-included-regex" ;;
  gawk) echo "$common --disable-extensions --disable-mpfr --without-readline" ;;
  sed) echo "$common --disable-acl --without-selinux --with-included-regex" ;;
  diffutils | m4) echo "$common --with-included-regex" ;;
  *) echo "$common" ;;
  esac
}

# Compiler flags: trueprint calls undeclared functions, which C99 forbids; the language versions of lua are those of
# its makefile.
package_flags() {
  case $1 in
  trueprint) echo '-std=gnu89' ;;
  lua) echo '-DLUA_COMPAT_5_3' ;;
  esac
}

# Debian's name of the source, and a file that every unpacked source has.
package_source_name() { [ "$1" = lua ] && echo lua5.4 || echo "$1"; }
package_proof() { [ "$1" = lua ] && echo src/Makefile || echo configure; }

package_fetch() {
  local name=$1 version=$2 compression=$3 sha256=$4 base=$5
  local tarball
  tarball=$HOMI_DEPS/sources/$(package_source_name "$name")_$version.orig.tar.$compression
  # The hash is the pin; Debian's own revision of the package does not matter here.
  [ -e "$tarball" ] || apt_source "$(package_source_name "$name")" '' "$HOMI_DEPS/sources"
  check_sha256 "$tarball" "$sha256"
  rm -rf "$base/source"
  mkdir -p "$base/source"
  tar -C "$base/source" --strip-components=1 -xf "$tarball"
  # Files that autotools and bison made must not look older than what they were made from.
  find "$base/source" -exec touch -r "$base/source/$(package_proof "$name")" {} +
}

# package_build NAME BASE FOLDER CC CFLAGS PROGRAM...: configure and make a fresh copy of the source in FOLDER.
package_build() {
  local name=$1 base=$2 folder=$3 cc=$4 cflags=$5 log words=()
  shift 5
  case $name in
  # Debian's tarball of gawk lacks the manual's source.
  gawk) words=('SUBDIRS=support .') ;;
  lua) words=(-C src lua "LDFLAGS=$cflags") ;;
  esac
  log=$HOMI_DEPS/log/$name-$(basename "$folder")
  rm -rf "$folder"
  cp -a "$base/source" "$folder"
  # gcc decides what the machine has, in all three builds alike; wllvm only compiles.
  # shellcheck disable=SC2046 # lists of words
  [ ! -e "$folder/configure" ] || (cd "$folder" && quietly "$log-configure.log" env FORCE_UNSAFE_CONFIGURE=1 CC=gcc CFLAGS=-O1 \
    ./configure $(package_configure_words "$name")) || fail "$name could not be configured" "see $log-configure.log"
  quietly "$log.log" make -C "$folder" -j"$HOMI_JOBS" CC="$cc" CFLAGS="$cflags $(package_flags "$name")" MAKEINFO=true "${words[@]}" ||
    fail "$name could not be built in $folder" "see $log.log"
}

package_bitcode() {
  local clang=$1 name=$2 base=$3 program
  shift 3
  use_wllvm "$clang"
  package_build "$name" "$base" "$base/build-bc-$clang" "$WLLVM" "$BITCODE_CFLAGS"
  mkdir -p "$base/bc-$clang"
  for program in "$@"; do
    extract_bitcode "$base/build-bc-$clang/$program" "$base/bc-$clang"
  done
}

package_native() {
  local name=$1 base=$2 program
  shift 2
  package_build "$name" "$base" "$base/build-native" gcc '-g -O1'
  mkdir -p "$base/native"
  for program in "$@"; do
    cp "$base/build-native/$program" "$base/native/${program##*/}"
  done
}

package_gcov() {
  local name=$1 base=$2 program
  shift 2
  package_build "$name" "$base" "$base/gcov" gcc '-g -O0 --coverage'
  # Counts of the build itself (bc runs itself to make its library) are not a test's.
  find "$base/gcov" -name '*.gcda' -delete
  mkdir -p "$base/gcov/bin"
  for program in "$@"; do
    ln -sf "../$program" "$base/gcov/bin/${program##*/}"
  done
}

# setup_package NAME
setup_package() {
  local clang=${HOMI_CLANG:-19} line name version compression sha256 programs base first key
  line=$(awk -v name="$1" '$1 == name' <<<"$HOMI_PACKAGES")
  [ -n "$line" ] || fail "unknown subject: $1" "one of: coreutils $(package_names)"
  read -r name version compression sha256 programs <<<"$line"
  base=$HOMI_DEPS/subjects/$name-$version
  first=${programs%% *}
  first=${first##*/}
  need_clang "$clang"
  # bc edits its library with ed.
  [ "$name" != bc ] || have ed || apt_install ed
  mkdir -p "$HOMI_DEPS/sources" "$base"
  key="$sha256 $(package_configure_words "$name") $(package_flags "$name")"
  step "$name-source" "$sha256" "$base/source/$(package_proof "$name")" package_fetch "$name" "$version" "$compression" "$sha256" "$base"
  # shellcheck disable=SC2086 # a list of words
  {
    step "$name-bc-$clang" "$key" "$base/bc-$clang/$first.bc" package_bitcode "$clang" "$name" "$base" $programs
    step "$name-native" "$key" "$base/native/$first" package_native "$name" "$base" $programs
    step "$name-gcov" "$key" "$base/gcov/bin/$first" package_gcov "$name" "$base" $programs
  }
}
