# Base of all scripts: paths; running, timing and skipping steps; reporting failures.
# Idea: a step is a function with a fingerprint of its inputs. A stamp file holds the fingerprint of the last
# success; equal fingerprint and present outputs mean that there is nothing to do, which takes milliseconds.
# Sourced, never run. Needs bash and coreutils only.

HOMI_ROOT=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/../.." && pwd -P)
HOMI_DEPS=$HOMI_ROOT/.deps
HOMI_JOBS=${HOMI_JOBS:-$(nproc 2>/dev/null || echo 2)}
export LC_ALL=C

say() { printf '%s\n' "$*"; }
note() { printf '    %s\n' "$*"; }

# fail MESSAGE REMEDY: the only way in which scripts fail.
fail() {
  printf '\nerror: %s\n' "$1" >&2
  [ -n "${2:-}" ] && printf 'remedy: %s\n' "$2" >&2
  exit 1
}

have() { command -v "$1" >/dev/null 2>&1; }

# as_root COMMAND...: root as it is, else sudo. Only package installation needs it, and asks before (apt.sh).
as_root() {
  if [ "$(id -u)" = 0 ]; then
    "$@"
  else
    sudo "$@"
  fi
}

# hash_of FILE-OR-DIRECTORY...: one SHA-256 over names and contents, in sorted order.
hash_of() {
  local path
  for path in "$@"; do
    [ -e "$path" ] && find "$path" -type f -print0
  done | sort -z | xargs -0 -r sha256sum | sed "s|  $HOMI_ROOT/|  |" | sha256sum | cut -d' ' -f1
}

# check_sha256 FILE EXPECTED
check_sha256() {
  local actual
  actual=$(sha256sum "$1" | cut -d' ' -f1)
  [ "$actual" = "$2" ] || fail "$1 has SHA-256 $actual, expected $2" \
    "delete the file and try again; if it persists the download was tampered with or the pin is out of date"
}

seconds() { date +%s.%N; }
elapsed() { awk -v a="$1" -v b="$(seconds)" 'BEGIN { printf "%.1f s", b - a }'; }

# quietly LOG COMMAND...: run with the output in LOG; on failure show its end.
quietly() {
  local log=$1
  shift
  mkdir -p "$(dirname "$log")"
  if ! "$@" >"$log" 2>&1; then
    printf '\n--- last lines of %s ---\n' "$log" >&2
    tail -n 25 "$log" >&2
    return 1
  fi
}

# quietly_counted LOG MARK TOTAL COMMAND...: as quietly. On a terminal a line says how many of TOTAL lines with MARK the
# log has so far, and an estimate of the remaining time.
quietly_counted() {
  local log=$1 mark=$2 total=$3 status=0 watcher=''
  shift 3
  if [ -t 2 ] && [ "$total" -gt 0 ]; then
    show_progress "$log" "$mark" "$total" &
    watcher=$!
  fi
  quietly "$log" "$@" || status=$?
  if [ -n "$watcher" ]; then
    kill "$watcher" 2>/dev/null || true
    wait "$watcher" 2>/dev/null || true
    printf '\r\033[K' >&2
  fi
  return $status
}

# show_progress LOG MARK TOTAL: until it is killed.
show_progress() {
  local began=$SECONDS count left
  while sleep 1; do
    count=$(grep -c -e "$2" "$1" 2>/dev/null || true)
    [ "${count:-0}" -gt 0 ] || continue
    left=$(((SECONDS - began) * ($3 > count ? $3 - count : 0) / count))
    printf '\r\033[K    %d of %d, about %d:%02d left' "$count" "$3" $((left / 60)) $((left % 60)) >&2
  done
}

# step NAME FINGERPRINT OUTPUT FUNCTION [ARGUMENT...]: run FUNCTION unless NAME was done with this FINGERPRINT
# and OUTPUT exists. A lock makes a second concurrent set-up wait for the first.
step() {
  local name=$1 fingerprint=$2 output=$3 start stamp
  shift 3
  start=$(seconds)
  stamp=$HOMI_DEPS/stamps/${name//[^a-zA-Z0-9._-]/_}
  mkdir -p "$HOMI_DEPS/stamps"
  exec {step_lock}>"$stamp.lock"
  flock "$step_lock"
  if [ -e "$output" ] && [ "$(cat "$stamp" 2>/dev/null)" = "$fingerprint" ]; then
    say "[$name] in place ($(elapsed "$start"))"
  else
    rm -f "$stamp"
    say "[$name] ..."
    # Errors must end the script, not only the function: `set -e` does not hold inside conditions.
    "$@"
    [ -e "$output" ] || fail "step $name ended without making $output" "look at the messages above"
    printf '%s' "$fingerprint" >"$stamp"
    say "[$name] done ($(elapsed "$start"))"
  fi
  exec {step_lock}>&-
}

# timed NAME COMMAND...: run a command with its output shown, and say how long it took. Its status is passed on.
timed() {
  local name=$1 start status=0
  shift
  start=$(seconds)
  say "[$name] $*"
  "$@" || status=$?
  say "[$name] $([ $status = 0 ] && echo done || echo "failed with status $status") ($(elapsed "$start"))"
  return $status
}

# Path of cargo's binary of a profile; the default is `release`.
homi_binary() {
  printf '%s/%s/homi' "${CARGO_TARGET_DIR:-$HOMI_ROOT/target}" "${1:-release}"
}
