#!/bin/sh
# Runs cases that `homi keep` wrote, without homi: sh run.sh [--list | --accept] PROGRAM [CASE...]
# Prints TAP. --list names the cases; --accept makes what PROGRAM does now the expectation.
set -u; mode=run
bail() { echo "Bail out! $*"; exit 99; }
case ${1-} in --list | --accept) mode=${1#--}; shift ;; esac
[ $# -gt 0 ] || bail "usage: sh run.sh [--list | --accept] PROGRAM [CASE...]"
name=$(basename "$1") program=$(dirname "$1"); shift
cases=$(cd "$(dirname "$0")" && pwd)/$name
[ -d "$cases" ] || bail "there is no directory $cases: the name of PROGRAM chooses the cases"
[ $# -gt 0 ] || set -- $(cd "$cases" && ls -d -- */about | sed '/\.new\//d; s|/about$||')
[ $mode != list ] || { printf '%s\n' "$@"; exit 0; }
program=$(cd "$program" && pwd)/$name limit=$(command -v timeout) || bail "no timeout (coreutils)"
[ -f "$program" ] && [ -x "$program" ] || bail "cannot execute $program"
[ "$(id -u)" -ne 0 ] || bail "not as root: run the tests as a user who can harm nothing"
tmp=$(mktemp -d) && mkdir "$tmp/bin" && ln -s "$program" "$tmp/bin/$name" || bail "cannot write to TMPDIR"
trap 'chmod -R u+rwx "$tmp"; rm -rf "$tmp"' EXIT; trap 'exit 99' HUP INT TERM
sanitized=; ! grep -q -e __asan_init -e __ubsan_handle "$program" || sanitized=yes
names() { (cd "$1" && find . | LC_ALL=C sort); }
try() { # runs the case in $dir: $got, $tmp/stdout, $tmp/stderr, $tmp/work, its names before and after
  chmod -R u+rwx "$tmp"; rm -rf "$tmp/work"; mkdir "$tmp/work"; input=/dev/null
  [ ! -d "$dir/files" ] || cp -R "$dir/files/." "$tmp/work"
  [ ! -f "$dir/files.mode" ] || while read -r bits f; do chmod "$bits" "$tmp/work/$f"; done < "$dir/files.mode"
  names "$tmp/work" > "$tmp/before"; [ ! -f "$dir/stdin" ] || input=$dir/stdin
  set -- env -i PATH="$tmp/bin:$PATH" LC_ALL=C TZ=UTC
  for list in env args; do [ $list = env ] || set -- "$@" "$limit" 10 "$name"
    [ ! -f "$dir/$list" ] || while IFS= read -r word || [ -n "$word" ]; do
      word=$(printf '%bx' "$word"); set -- "$@" "${word%x}"; done < "$dir/$list"; done
  { (umask 022; ulimit -c 0; ulimit -t 10; ulimit -f 131072; [ "$sanitized" ] || ulimit -v 4194304
    cd "$tmp/work" && exec "$@") < "$input" > "$tmp/stdout" 2> "$tmp/stderr"; got=$?; } 2> /dev/null
  chmod -R u+rwx "$tmp/work"; names "$tmp/work" > "$tmp/after"; }
changed() { # the files in work that are not as $dir/after and $dir/files have them
  (cd "$tmp/work" && find . -type f | while IFS= read -r f; do
    from=$dir/after/$f; [ -f "$from" ] || from=$dir/files/$f; cmp -s "$f" "$from" || echo "$f"; done); }
compare() { # says in what the run was not as expected
  want=$(cat "$dir/status"); case $want in signal*) want=$((128 + ${want#signal })) ;; esac
  [ "$got" = "$want" ] || echo "the exit status is $got, expected $want"
  for f in stdout stderr; do [ ! -f "$dir/$f" ] || cmp -s "$dir/$f" "$tmp/$f" || { echo "$f:"; diff "$dir/$f" "$tmp/$f"; }; done
  tree=$dir/tree; [ -f "$tree" ] || tree=$tmp/before
  [ "$(cat "$tree")" = '*' ] || { diff "$tree" "$tmp/after"; changed | sed 's/$/ has other bytes/'; }; }
accept() { # makes the run the expectation
  echo "$got" > "$dir/status"; rm -rf "$dir/after"
  for f in stdout stderr; do [ ! -f "$dir/$f" ] || cp "$tmp/$f" "$dir/$f"; done
  [ ! -f "$dir/tree" ] || [ "$(cat "$dir/tree")" = '*' ] || rm "$dir/tree"
  [ -f "$dir/tree" ] || cmp -s "$tmp/before" "$tmp/after" || cp "$tmp/after" "$dir/tree"
  changed | while IFS= read -r f; do mkdir -p "$dir/after/$(dirname "$f")"; cp "$tmp/work/$f" "$dir/after/$f"; done; }
crashed() { [ "$got" -eq 124 ] || { [ "$got" -gt 128 ] && [ "$got" -lt 193 ]; } || grep -Eq 'Sanitizer|runtime error:' "$tmp/stderr"; }
echo "1..$#"; n=0 failed=0
for one do
  n=$((n + 1)) dir=$cases/$one todo= said=ok; [ -f "$dir/about" ] || bail "there is no case $one"
  [ ! -f "$dir/bug" ] || todo=" # TODO $(head -n 1 "$dir/bug")"
  if [ "$todo" ] && [ ! "$sanitized" ] && grep -qx sanitizer "$dir/bug"; then
    echo "ok $n - $name/$one # SKIP only a sanitizer shows it"; continue; fi
  try
  if [ "$todo" ]; then ! crashed || echo "it ends with status $got"
  else [ $mode = run ] || accept; compare; fi > "$tmp/why"
  [ ! -s "$tmp/why" ] || { said="not ok"; [ "$todo" ] || failed=1; }
  echo "$said $n - $name/$one$todo"; head -n 20 "$tmp/why" | sed 's/^/# /'
done
exit $failed
