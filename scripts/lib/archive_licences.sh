# Licences of the parts of an archive of scripts/package besides homi: libraries of Debian, Z3, linked crates, Rust's
# library, and the sources of libc.bc. Invariant: a part without the text of its licence stops the packaging.
# Needs common.sh.

# archive_library_packages LIBRARIES: the Debian packages of lines `NAME PATH`. Z3 is a wheel's; its text is that of
# Debian's package of another version, which LLVM needs too.
archive_library_packages() {
  local name path real
  while read -r name path; do
    [ "${path#"$HOMI_DEPS"}" = "$path" ] || continue
    real=$(realpath "$path")
    # Files of a merged /usr are known to dpkg by either name.
    dpkg -S "$real" 2>/dev/null || dpkg -S "${real#/usr}" 2>/dev/null ||
      fail "no Debian package has $real ($name)" "make the archive on Debian"
  done <<<"$1" | cut -d: -f1 | sort -u
}

# archive_crates: lines `NAME-VERSION LICENCE` of the crates that are linked in (ARCHIVE_FEATURES: cargo's words).
archive_crates() {
  cargo tree --locked "${ARCHIVE_FEATURES[@]}" --edges normal --prefix none --format '{p}|{l}' --target x86_64-unknown-linux-gnu |
    sed 's/ (\*)$//' | awk -F'|' '{ split($1, word, " "); if (word[1] !~ /^homi(-|$)/) print word[1] "-" substr(word[2], 2), $2 }' | sort -u
}

# archive_crate_licences FOLDER: the licence files of each crate, of libraries inside it too. A crate may come without
# any; then crates.txt says its licence, whose text must be in another crate or in Debian.
archive_crate_licences() {
  local crate licence place file
  archive_crates >"$1/crates.txt"
  while read -r crate licence; do
    place=$(find "${CARGO_HOME:-$HOME/.cargo}"/registry/src -mindepth 2 -maxdepth 2 -name "$crate" -print -quit)
    [ -n "$place" ] || fail "the sources of crate $crate are missing" "cargo fetch --locked"
    while read -r file; do
      install -D -m 644 "$place/$file" "$1/crates/$crate/$file"
    done < <(cd "$place" && find . -maxdepth 2 -type f \( -iname 'licen[cs]e*' -o -iname 'copying*' \
      -o -iname 'copyright*' -o -iname 'notice*' -o -iname 'unlicense*' \) ! -name '*.rs' -printf '%P\n')
    [ -e "$1/crates/$crate" ] || archive_common_licence "$1" "$crate" "$licence"
  done <"$1/crates.txt"
}

# archive_common_licence FOLDER CRATE LICENCE: the text of a licence that asks for no notice of the crate's own.
archive_common_licence() {
  case $3 in
  *Apache-2.0*) install -D -m 644 /usr/share/common-licenses/Apache-2.0 "$1/crates/$2/LICENSE-APACHE" ;;
  *) fail "crate $2 has no licence file, and is under $3" "add its text to archive_common_licence in scripts/lib" ;;
  esac
}

# archive_licences FOLDER LIBRARIES: FOLDER/licences and FOLDER/CONTENTS.md, which says what is there.
archive_licences() {
  local folder=$1/licences packages package file
  mkdir -p "$folder"
  packages=$(archive_library_packages "$2")
  for package in $packages; do
    install -m 644 "/usr/share/doc/$package/copyright" "$folder/$package.txt" ||
      fail "the licence of $package is missing" "apt-get install --reinstall $package"
  done
  [ -e "$folder/libz3-4.txt" ] || fail "the licence of Z3 is missing" "apt-get install libz3-4"
  install -m 644 "$HOMI_DEPS/runtime/musl/tree/COPYRIGHT" "$folder/musl.txt"
  install -m 644 /usr/share/common-licenses/LGPL-2.1 "$folder/gnulib-LGPL-2.1.txt"
  install -m 644 "$HOMI_ROOT/src/output/plot/FONT-LICENCE.txt" "$folder/font.txt"
  file=$(rustc --print sysroot)/share/doc/rust/COPYRIGHT-library.html
  install -m 644 "$file" "$folder/rust-library.html" ||
    fail "the licences of Rust's library are missing" "take rustc of rustup, which has $file"
  archive_crate_licences "$folder"
  archive_contents "$packages" >"$1/CONTENTS.md"
}

# archive_contents PACKAGES
archive_contents() {
  cat <<TEXT
# What is in this archive

bin/homi finds lib/homi relative to itself; the folder may be anywhere. Linux on x86-64 only.

| part | what it is | licence |
|---|---|---|
| bin/homi | homi, with Rust's library, the crates of licences/crates.txt and letters of DejaVu Sans | MIT, as LICENSE; licences/crates, licences/rust-library.html, licences/font.txt |
| lib/homi/libc.bc | musl 1.2.3 with changes, GNU's regular expressions of gnulib (coreutils 9.1) | licences/musl.txt, licences/gnulib-LGPL-2.1.txt |
| lib/homi/kernel.bc | homi's modelled kernel | MIT, as LICENSE |
| lib/homi/image.bc | what a native image of a program has besides | MIT, as LICENSE |
| lib/homi/cxxabi.bc | homi's library below C++ | MIT, as LICENSE |
| include, share | headers, pages and examples of homi | MIT, as LICENSE |
| lib/homi/libz3.so.5* | Z3 of the wheel z3-solver on PyPI | MIT, as licences/libz3-4.txt |
| other libraries | of the Debian packages below, their search path changed | licences/PACKAGE.txt |

Sources: of libc.bc, runtime/musl and runtime/glibc in homi's repository, with Debian's source packages
musl 1.2.3-1 and coreutils 9.1-1; of the libraries, Debian's source packages:

TEXT
  local package
  for package in $1; do
    dpkg-query -W -f '- ${binary:Package} ${Version} (source ${source:Package})\n' "$package"
  done | sort -u
}
