#!/usr/bin/env bash
# Unpacks a release's archive, unless homi is on PATH, and installs the compilers that `homi test` calls.
# Wants HOMI_REPOSITORY (OWNER/NAME) and HOMI_VERSION (a tag; empty for the newest release); gh, curl or neither.
set -euo pipefail
shopt -s inherit_errexit

if ! command -v clang >/dev/null || ! command -v gcc >/dev/null; then
  root=$([ "$(id -u)" = 0 ] || echo sudo)
  $root apt-get update -q
  $root apt-get install -y -q --no-install-recommends clang gcc libc6-dev
fi
if ! command -v homi >/dev/null; then
  place=${RUNNER_TEMP:-/tmp}/homi
  mkdir -p "$place"
  # shellcheck disable=SC2086  # no version is no word
  gh release download ${HOMI_VERSION:-} --repo "$HOMI_REPOSITORY" --dir "$place" --clobber \
    --pattern 'homi-*-x86_64-linux.tar.gz*'
  (cd "$place" && sha256sum -c homi-*.tar.gz.sha256 && tar -xzf homi-*.tar.gz --strip-components=1)
  echo "$place/bin" >>"$GITHUB_PATH"
  PATH=$place/bin:$PATH
fi
homi --version
