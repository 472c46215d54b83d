"""Drivers of the FSE'13 paper on interpolation in concolic mode, with and without --subsume.

The programs are those of SV-COMP's ntdrivers-simplified (sosy-lab/sv-benchmarks). They are not
here: `--files` names a directory that has them. Each is built at -O0 without a C library, with the
verifier's functions added. Each strategy follows each driver to its end, plain and with --subsume;
diskperf has a loop of any number of rounds, so its plain runs are cut.

  benchmarks/bench subsumption-drivers --files DIR --study subsumption-drivers    all, as a study
  benchmarks/bench subsumption-drivers --files DIR floppy                         some

A study that is there goes on where it was. Status 1 if a run with --subsume that ended has other
bugs or branches than its plain run. Needs: clang-19; cargo build --release.
"""

import argparse
import hashlib
import pathlib
import subprocess
import tempfile

from homibench import cells, engines, provenance, studies, subsumption_drivers_table
from homibench.places import HEADERS

KEY = (*studies.KEY, "configuration")
# Name of the driver: its file.
DRIVERS = {
    "cdaudio": "cdaudio_simpl1.cil-2.c",
    "diskperf": "diskperf_simpl1.cil.c",
    "floppy": "floppy_simpl3.cil-2.c",
    "kbfiltr": "kbfiltr_simpl2.cil-1.c",
    "kbfiltr-small": "kbfiltr_simpl1.cil.c",
    "diskperf-bounded": "diskperf_simpl1.cil.c",
}
# A loop of diskperf ends after any number of rounds below 2^31, each a path: here below 64.
CHANGED = {
    "diskperf-bounded": (
        "int deviceExtension__Processors = __VERIFIER_nondet_int()",
        "int deviceExtension__Processors = __VERIFIER_nondet_int() & 63",
    )
}
STRATEGIES = ("dfs", "random-branch", "cfg")
# The first configuration is the baseline of the others.
ARMS = {
    "plain": [],
    "subsume": ["--subsume"],
    "not greedy": ["--subsume", "--tuning greedy-confirmation", "off"],
}
# Two minutes: no run takes longer.
BUDGET = "120s"
HARNESS = """
#include <klee/klee.h>
int __VERIFIER_nondet_int(void) {
  int value;
  klee_make_symbolic(&value, sizeof value, "nondet");
  return value;
}
void __VERIFIER_error(void) { klee_abort(); }
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the command-line arguments."""
    add = parser.add_argument
    add("drivers", nargs="*", metavar="DRIVER", help=f"default: all of {' '.join(DRIVERS)}")
    add("--files", type=pathlib.Path, required=True, metavar="DIR", help="where the programs are")
    add("--budget", default=BUDGET, help=f"of a run ({BUDGET})")
    add("--clang", default="clang-19", help="default clang-19")
    engines.add_homi(parser)
    studies.add_study(parser)


def fingerprint(arguments: argparse.Namespace, path: pathlib.Path) -> str:
    """SHA-256 of a program without comments, preprocessor lines and white space."""
    command = [arguments.clang, "-E", "-P", path]
    text = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    return hashlib.sha256("".join(text.split()).encode()).hexdigest()


def source(arguments: argparse.Namespace, driver: str) -> str:
    """A driver with the verifier's functions."""
    text = (arguments.files / DRIVERS[driver]).read_text()
    before, after = CHANGED.get(driver, ("", ""))
    if text.count(before) < 1:
        raise SystemExit(f"{driver}: `{before}` is not in {DRIVERS[driver]}")
    return (text.replace(before, after) if before else text) + HARNESS


def measured(
    arguments: argparse.Namespace, driver: str, args: list[str]
) -> dict[str, object]:
    """The figures of one run."""
    with tempfile.TemporaryDirectory() as name:
        directory = pathlib.Path(name)
        path, bitcode, out = directory / "program.c", directory / "program.bc", directory / "out"
        path.write_text(source(arguments, driver))
        flags = ["-O0", "-Xclang", "-disable-O0-optnone", "-g", "-w", "-I", HEADERS]
        flags += ["-emit-llvm", "-c"]
        subprocess.run([arguments.clang, *flags, path, "-o", bitcode], check=True)
        command = [arguments.homi, "concolic", bitcode, "--quiet", "--libc", "none", *args]
        command += ["--max-time", arguments.budget, "--output-dir", out]
        done = engines.measured(command, directory)
        summary = engines.summary(out)
        if done.status != 0 or summary is None:
            raise SystemExit(f"{' '.join(map(str, command))}: {done.text}")
    return {
        "instructions": summary["instructions"],
        "work": round(summary["work"]),
        "paths": sum(summary["paths"][kind] for kind in ("completed", "error", "unsupported")),
        "reason": summary["stop_reason"],
        "bugs": len(summary["errors"]),
        "branches": summary["coverage"]["branches"],
        "wall_s": round(summary["wall_s"], 3),
        "cpu_s": round(done.cpu, 2),
        "subsumption": summary.get("subsumption", {}),
    }


def measure_all(arguments: argparse.Namespace, rows: cells.Cells) -> list[dict]:
    """The rows of all runs; those that are missing are made."""
    wanted = [
        (driver, strategy, arm)
        for driver in arguments.drivers or DRIVERS
        for strategy in STRATEGIES
        for arm in ARMS
    ]
    found = []
    for driver, strategy, arm in wanted:
        args = ["--strategy", strategy, *ARMS[arm]]
        key = {
            "commit": provenance.commit(),
            "machine": provenance.machine(),
            "program": driver,
            "mode": " ".join(args),
            "seed": 0,
            "budget": arguments.budget,
            "configuration": arm,
        }
        row = rows.find(**key)
        if row is None:
            row = key | {"strategy": strategy} | measured(arguments, driver, args)
            rows.add(row)
            print(f"{driver} {strategy} {arm}: {row['paths']:,} {row['reason']}", flush=True)
        found.append(row)
    return found


def run(arguments: argparse.Namespace) -> int:
    """Measures what is missing and prints the tables."""
    unknown = sorted(set(arguments.drivers) - set(DRIVERS))
    if unknown:
        raise SystemExit(f"no such driver: {' '.join(unknown)}; known: {' '.join(DRIVERS)}")
    studies.check(arguments)
    arguments.homi = engines.needed(arguments.homi)
    arguments.files = arguments.files.resolve()
    with tempfile.TemporaryDirectory() as name:
        place = studies.folder(arguments.study) if arguments.study else pathlib.Path(name)
        rows = cells.Cells(place / "runs.jsonl", KEY)
        found = measure_all(arguments, rows)
    lines, is_right = subsumption_drivers_table.tables_of(found)
    print("\n".join(lines))
    facts = [f"a run is cut after {arguments.budget}; seed 0; form of interpolants: the default"]
    for driver in arguments.drivers or DRIVERS:
        file = DRIVERS[driver]
        facts.append(f"{driver}: {file}, SHA-256 {fingerprint(arguments, arguments.files / file)}")
    facts.append("SHA-256 of `clang -E -P` without white space")
    question = "How much does interpolation save concolic testing on the drivers of its paper?"
    studies.write(arguments, question, "speed", facts, lines)
    return int(not is_right)
