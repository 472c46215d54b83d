# The archive of scripts/package: its files, their sources, and its checks.
# Idea: the command finds its runtime and its libraries at ../lib/homi, relative to itself, and each library finds
# the others in its own directory; so the archive works in any directory. Needs common.sh and archive_licences.sh.

# The C library of Debian 12, the oldest system that the archive is for.
ARCHIVE_GLIBC=2.36

# Libraries of glibc: never in the archive, for the loader and libc must be of one build.
ARCHIVE_SYSTEM='^(linux-vdso|ld-linux-x86-64|libc|libm|libdl|librt|libpthread|libresolv|libutil)[.]so'

# archive_lazy BINARY: paths of LLVM and Z3. They are loaded at their first use, so ldd does not see them; the names that
# build/lazy.rs put into the binary do.
archive_lazy() {
  local name path version
  for name in $(grep -aoE 'lib(LLVM|z3)[.]so[.][0-9]+([.][0-9]+)*' "$1" | sort -u); do
    version=${name#libLLVM.so.}
    path=/usr/lib/llvm-${version%%.*}/lib/$name
    [ "${name#libz3}" = "$name" ] || path=$HOMI_DEPS/z3/lib/$name
    [ -e "$path" ] || fail "$path is missing, and homi loads it" "scripts/setup tools z3"
    printf '%s\n' "$path"
  done
}

# archive_libraries BINARY: lines `NAME PATH` of all libraries that it loads and glibc does not bring.
archive_libraries() {
  local path lazy
  lazy=$(archive_lazy "$1")
  for path in $lazy; do
    printf '%s %s\n' "${path##*/}" "$path"
  done
  for path in "$1" $lazy; do
    ldd "$path"
  done | awk -v system_names="$ARCHIVE_SYSTEM" '
    /not found/ { print "not found: " $1 > "/dev/stderr"; exit 1 }
    $2 == "=>" && $1 !~ system_names && !seen[$1]++ { print $1, $3 }' | sort
}

# archive_glibc FILE: the newest version of glibc's symbols that it asks for.
archive_glibc() {
  { objdump -T "$1" | grep -oE 'GLIBC_[0-9]+([.][0-9]+)+' || true; } | cut -d_ -f2 | sort -V | tail -n 1
}

# archive_check_glibc FILE...: none asks for a newer glibc than Debian 12 has.
archive_check_glibc() {
  local file version newest=2.2.5
  for file; do
    version=$(archive_glibc "$file")
    newest=$(printf '%s\n%s\n' "$newest" "$version" | sort -V | tail -n 1)
    [ "$(printf '%s\n%s\n' "$version" "$ARCHIVE_GLIBC" | sort -V | tail -n 1)" = "$ARCHIVE_GLIBC" ] ||
      fail "$file asks for glibc $version; Debian 12 has $ARCHIVE_GLIBC" "make the archive on Debian 12, or by the Dockerfile"
  done
  say "all files together ask for glibc $newest or newer; Debian 12 has $ARCHIVE_GLIBC"
}

# archive_files: lines `PLACE SOURCE` of what is copied from the repository and .deps.
archive_files() {
  local file
  printf '%s\n' \
    "lib/homi/libc.bc $HOMI_DEPS/runtime/libc.bc" \
    "lib/homi/kernel.bc $HOMI_DEPS/runtime/kernel.bc" \
    "lib/homi/image.bc $HOMI_DEPS/runtime/image.bc" \
    "lib/homi/cxxabi.bc $HOMI_DEPS/runtime/cxxabi.bc" \
    "lib/homi/i386/libc.bc $HOMI_DEPS/runtime/i386/libc.bc" \
    "lib/homi/i386/kernel.bc $HOMI_DEPS/runtime/i386/kernel.bc" \
    "include/klee/klee.h runtime/include/klee/klee.h" \
    "include/homi/engine.h runtime/include/homi/engine.h" \
    "include/crest.h runtime/include/crest.h" \
    "include/fortified/homi_fortified.h runtime/include/fortified/homi_fortified.h" \
    "include/fortified/stdio.h runtime/include/fortified/stdio.h" \
    "include/fortified/string.h runtime/include/fortified/string.h" \
    "include/fortified/unistd.h runtime/include/fortified/unistd.h" \
    "share/homi/klee_runtime.c runtime/replay/klee_runtime.c" \
    "lib/libhomi-replay.a $HOMI_DEPS/runtime/lib/libhomi-replay.a" \
    "lib/libhomi-replay.so $HOMI_DEPS/runtime/lib/libhomi-replay.so" \
    "lib/libkleeRuntest.so $HOMI_DEPS/runtime/lib/libkleeRuntest.so" \
    "lib/libkleeRuntest.so.1.0 $HOMI_DEPS/runtime/lib/libkleeRuntest.so.1.0" \
    "share/doc/homi/CHANGELOG.md CHANGELOG.md" \
    "share/doc/homi/LICENSE LICENSE" \
    "share/doc/homi/README.md README.md"
  # In the repository's folders, for the guide links to the examples.
  for file in docs/guide/*.md docs/reference/*.md docs/research/*.md $(git ls-files examples 2>/dev/null || find examples -type f); do
    printf '%s %s\n' "share/doc/homi/$file" "$file"
  done
}

# archive_commands BINARY: its subcommands, as its help lists them.
archive_commands() {
  "$1" --help | awk '/^Commands:/ { on = 1; next } /^$/ { on = 0 } on && $1 != "help" { print $1 }'
}

# archive_list NAME BINARY LIBRARIES: lists the files of the archive.
archive_list() {
  say "$1.tar.gz would hold:"
  {
    printf 'bin/homi %s\n' "$2"
    sed 's|^|lib/homi/|' <<<"$3"
    archive_files
  } | while read -r place source; do
    printf '  %8s  %-32s %s\n' "$(du -kL "$source" | cut -f1)K" "$place" "$source"
  done
  note "manual pages of homi and of $(archive_commands "$2" | wc -l) subcommands, completions for bash, fish and zsh"
  local packages crates
  packages=$(archive_library_packages "$3")
  crates=$(archive_crates)
  note "licences of $(wc -l <<<"$packages") Debian packages and $(wc -l <<<"$crates") crates, musl, gnulib, Rust's library"
}

# archive_pages FOLDER BINARY: manual pages and completions, which the command itself prints.
archive_pages() {
  local command share=$1/share
  mkdir -p "$share"/man/man1 "$share"/{bash-completion/completions,zsh/site-functions,fish/vendor_completions.d}
  "$2" man >"$share/man/man1/homi.1"
  for command in $(archive_commands "$2"); do
    "$2" man "$command" >"$share/man/man1/homi-$command.1"
  done
  "$2" completions bash >"$share/bash-completion/completions/homi"
  "$2" completions zsh >"$share/zsh/site-functions/_homi"
  "$2" completions fish >"$share/fish/vendor_completions.d/homi.fish"
}

# archive_fill FOLDER BINARY LIBRARIES
archive_fill() {
  local folder=$1 binary=$2 libraries=$3 place source
  install -D "$binary" "$folder/bin/homi"
  # Function names stay, for the traces of crashes; lines of Rust code are two thirds of the file.
  strip --strip-debug "$folder/bin/homi"
  patchelf --set-rpath '$ORIGIN/../lib/homi' "$folder/bin/homi"
  while read -r place source; do
    install -D -m 644 "$source" "$folder/lib/homi/$place"
    patchelf --set-rpath '$ORIGIN' "$folder/lib/homi/$place"
  done <<<"$libraries"
  while read -r place source; do
    install -D -m 644 "$source" "$folder/$place"
  done < <(archive_files)
  archive_pages "$folder" "$binary"
  archive_licences "$folder/share/doc/homi" "$libraries"
}

# archive_check_closed FOLDER: everything that its command and libraries load is in it, except glibc. Each library is
# checked separately: a library loaded at first use searches its dependencies from its own directory.
archive_check_closed() {
  local outside
  outside=$(for file in "$1/bin/homi" "$1"/lib/homi/*.so*; do
    env -i /usr/bin/ldd "$file"
  done | awk -v folder="$1/" -v system_names="$ARCHIVE_SYSTEM" '
    $2 == "=>" && $1 !~ system_names && index($3, folder) != 1 { print $1, $3 }' | sort -u)
  [ -z "$outside" ] || fail "not in the archive, but needed: $outside" "see archive_libraries in scripts/lib/archive.sh"
}

# archive_pack DIRECTORY NAME: equal contents give an equal archive; all times equal the last commit's. Not xz: bare
# systems have gzip only.
archive_pack() {
  local time
  time=${SOURCE_DATE_EPOCH:-$(git -C "$HOMI_ROOT" log -1 --format=%ct 2>/dev/null || echo 0)}
  tar -C "$1" --sort=name --owner=0 --group=0 --numeric-owner --mtime="@$time" -c "$2" | gzip -9n >"$1/$2.tar.gz"
  (cd "$1" && sha256sum "$2.tar.gz" >"$2.tar.gz.sha256")
}

# archive_add_sv_comp FOLDER: what the competitions ask for beside the command.
archive_add_sv_comp() {
  local from=$HOMI_ROOT/scripts/sv-comp
  install -D -m 755 "$from/smoketest.sh" "$1/smoketest.sh"
  install -D -m 644 -t "$1/example" "$from/example.c" "$from/unreach-call.prp"
  install -D -m 644 -t "$1/benchexec" "$from/homi.py" "$from/homi.yml"
  install -m 644 -t "$1" "$HOMI_ROOT/LICENSE" "$HOMI_ROOT/README.md"
}

# archive_zip DIRECTORY NAME: one folder, without the times of files.
archive_zip() {
  rm -f "$1/$2-sv-comp.zip"
  (cd "$1" && find "$2" -type f | sort | zip -q -X -9 -@ "$2-sv-comp.zip")
}
