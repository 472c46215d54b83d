"""Paths in this checkout."""

import pathlib

BENCHMARKS = pathlib.Path(__file__).resolve().parent.parent
ROOT = BENCHMARKS.parent
SUBJECTS = ROOT / ".deps/subjects"
COREUTILS = SUBJECTS / "coreutils-9.1"
HEADERS = ROOT / "runtime/include"
RELEASE = ROOT / "target/release/homi"
# Programs and inputs that tests share: the folders differential, exec_c, ir, libc, whole, ...
TEST_DATA = ROOT / "tests/data"
