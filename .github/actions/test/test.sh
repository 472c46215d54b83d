#!/usr/bin/env bash
# Runs `homi test` as the action's inputs say (HOMI_FILES and so on; see action.yml), and writes what it found to
# GITHUB_OUTPUT and GITHUB_STEP_SUMMARY where they are set. Status: 3 if bugs were found and HOMI_FAIL_ON_BUGS is
# true, 0 if not, homi's own status if it failed.
set -euo pipefail
shopt -s inherit_errexit

output=${HOMI_OUTPUT:-homi-out}
# Words with quotes are split as a shell does, and nothing in them is executed.
words_of() { xargs -r printf '%s\n' <<<"$1"; }
readarray -t files < <(words_of "${HOMI_FILES:?no files given}")
readarray -t options < <(words_of "${HOMI_OPTIONS:-}")
readarray -t arguments < <(words_of "${HOMI_ARGUMENTS:-}")

case ${HOMI_CHANGED:-auto} in
no) ;;
auto)
  if [ -n "${HOMI_BASE:-}" ]; then
    git fetch --quiet --depth=1 origin "$HOMI_BASE"
    options+=("--changed=$HOMI_BASE")
  fi
  ;;
*) options+=("--changed=$HOMI_CHANGED") ;;
esac
[ ${#arguments[@]} = 0 ] || arguments=(-- "${arguments[@]}")

status=0
homi test --max-time "${HOMI_MAX_TIME:-2min}" --output-dir "$output" --export sarif,junit \
  "${options[@]}" "${files[@]}" "${arguments[@]}" | tee homi-test.txt || status=$?
if [ -n "${GITHUB_STEP_SUMMARY:-}" ]; then
  { echo '```'; tail -n 60 homi-test.txt; echo '```'; } >>"$GITHUB_STEP_SUMMARY"
fi
rm -f homi-test.txt
[ -e "$output/summary.json" ] || exit "$status"

python3 - "$output" >>"${GITHUB_OUTPUT:-/dev/stdout}" <<'PYTHON'
import json, pathlib, sys
directory = pathlib.Path(sys.argv[1])
summary = json.loads((directory / "summary.json").read_text())
print(f"bugs={len(summary['errors'])}")
print(f"branches={summary['coverage']['branches']}")
print(f"sarif={next(directory.glob('*.sarif'), '')}")
PYTHON
if [ "$status" = 3 ] && [ "${HOMI_FAIL_ON_BUGS:-true}" != true ]; then
  status=0
fi
exit "$status"
