# The Debian package of scripts/package --deb, made of the archive's folder. Needs common.sh and archive.sh.
# Idea: the folder as it is in /usr/lib/homi, for the command finds its runtime relative to itself; in /usr/bin a link;
# manual pages, completions and documents where Debian's policy has them.

# deb_version FOLDER: version of the command, with the number of the package.
deb_version() {
  printf '%s-1\n' "$("$1/bin/homi" --version | cut -d' ' -f2)"
}

# deb_control FOLDER ROOT: fields of the package. gcc and clang are needed by most commands, but not by replays and
# reports.
deb_control() {
  cat <<TEXT
Package: homi
Version: $(deb_version "$1")
Architecture: amd64
Maintainer: homi <homi@localhost>
Installed-Size: $(du -ks "$2" | cut -f1)
Depends: libc6 (>= $ARCHIVE_GLIBC)
Recommends: clang, gcc, libc6-dev
Section: devel
Priority: optional
Description: symbolic execution of C programs
 homi reads the LLVM bitcode of a C program, runs it symbolically with an
 interpreted libc on a modeled POSIX kernel, finds bugs, and writes tests that
 cover its branches and run on the same program natively.
TEXT
}

# deb_copyright FOLDER: the licence of homi, and where those of its parts are.
deb_copyright() {
  cat <<'TEXT'
Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: homi
Comment: The licences of the libraries and crates in the package are in /usr/share/doc/homi.

Files: *
Copyright: the authors of homi
License: Expat

License: Expat
TEXT
  sed 's/^$/./; s/^/ /' "$1/share/doc/homi/LICENSE"
}

# deb_changelog FOLDER: changes of the package itself; those of homi are beside it.
deb_changelog() {
  cat <<TEXT
homi ($(deb_version "$1")) stable; urgency=medium

  * Package made from the archive of homi. Its changes are in changelog.gz.

 -- homi <homi@localhost>  $(date -u -R -d "@${SOURCE_DATE_EPOCH:-0}")
TEXT
}

# deb_overrides: what lintian calls an error and is meant so.
deb_overrides() {
  cat <<'TEXT'
# The package has no address that receives mail.
homi: bogus-mail-host *
homi: bogus-mail-host-in-debian-changelog *
# One package for several releases brings the libraries that differ between them.
homi: embedded-library *
# Reports of bugs of homi name its functions.
homi: unstripped-binary-or-object *
TEXT
}

# deb_fill FOLDER ROOT: the files of the package.
deb_fill() {
  local folder=$1 root=$2 share=$2/usr/share
  mkdir -p "$root/usr/lib" "$root/usr/bin" "$share/zsh/vendor-completions"
  cp -a "$folder" "$root/usr/lib/homi"
  ln -s ../lib/homi/bin/homi "$root/usr/bin/homi"
  mv "$root/usr/lib/homi/share/man" "$root/usr/lib/homi/share/bash-completion" "$root/usr/lib/homi/share/fish" "$share/"
  mv "$root/usr/lib/homi/share/zsh/site-functions/_homi" "$share/zsh/vendor-completions/"
  rm -r "$root/usr/lib/homi/share/zsh"
  mkdir -p "$share/doc"
  mv "$root/usr/lib/homi/share/doc/homi" "$share/doc/"
  rmdir "$root/usr/lib/homi/share/doc"
  # Links from the guide to examples and licences stay valid: the whole folder moves.
  mv "$share/doc/homi/CHANGELOG.md" "$share/doc/homi/changelog"
  deb_changelog "$folder" >"$share/doc/homi/changelog.Debian"
  gzip -9n "$share/doc/homi/changelog" "$share/doc/homi/changelog.Debian" "$share"/man/man1/*.1
  mkdir -p "$share/lintian/overrides"
  deb_overrides >"$share/lintian/overrides/homi"
  deb_copyright "$folder" >"$share/doc/homi/copyright"
  rm "$share/doc/homi/LICENSE"
  find "$root" -type d -exec chmod 755 {} +
  find "$root/usr/lib/homi" -name '*.so*' -exec chmod 644 {} +
}

# deb_pack DIRECTORY NAME: the package of the folder DIRECTORY/NAME. Equal contents give equal packages.
deb_pack() {
  local folder=$1/$2 root=$1/$2.deb-root file
  have dpkg-deb || fail "dpkg-deb is missing" "make the package on Debian or Ubuntu"
  rm -rf "${root:?}"
  deb_fill "$folder" "$root"
  mkdir "$root/DEBIAN"
  deb_control "$folder" "$root" >"$root/DEBIAN/control"
  (cd "$root" && find usr -type f -print0 | sort -z | xargs -0 md5sum) >"$root/DEBIAN/md5sums"
  file=$1/homi_$(deb_version "$folder")_amd64.deb
  SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git -C "$HOMI_ROOT" log -1 --format=%ct 2>/dev/null || echo 0)} \
    dpkg-deb --root-owner-group -Zgzip -z6 --build "$root" "$file" >/dev/null
  rm -rf "${root:?}"
  printf '%s\n' "$file"
}
