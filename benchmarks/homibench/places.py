"""Where things are in this checkout."""

import pathlib

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
BENCHMARKS = ROOT / "benchmarks"
SUBJECTS = ROOT / ".deps/subjects"
COREUTILS = SUBJECTS / "coreutils-9.1"
HEADERS = ROOT / "runtime/include"
RELEASE = ROOT / "target/release/homi"
