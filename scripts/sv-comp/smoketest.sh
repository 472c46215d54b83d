#!/bin/sh
# Verifies the example of this folder; succeeds if the verdict is right.
set -eu
here=$(cd -- "$(dirname -- "$0")" && pwd -P)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
"$here/bin/homi" --version
# Status 3 says that a bug was found.
"$here/bin/homi" svcomp --property "$here/example/unreach-call.prp" --max-time 30s "$here/example/example.c" >said ||
  test $? = 3
tail -n 1 said
tail -n 1 said | grep -q '^verdict: FALSE (unreach-call)'
test -s witness.yml
