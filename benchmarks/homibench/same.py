"""Comparison of the tests, coverage and statistics of two builds of homi.

Runs the cases of benchmarks/same.toml with both builds, each run in a directory of its own, and
prints a line per case. What must be equal is said there; times and memory never are. Budgets are
instructions, so equal builds write equal bytes.

  benchmarks/bench same OLD NEW                     all cases
  benchmarks/bench same OLD OLD --only 'default'    some of them; a build is equal to itself

Status 1 if a case differs, or its program is missing (--skip-missing: that is allowed).
Needs: clang-19; scripts/setup runtime; scripts/setup subjects echo wc expr pr.
"""

import argparse
import collections
import collections.abc
import concurrent.futures
import dataclasses
import glob
import pathlib
import shlex
import shutil
import subprocess
import tempfile
import tomllib

from homibench import native, output_differences
from homibench.places import BENCHMARKS, COREUTILS, HEADERS, ROOT

MOST_LISTED = 12
COMPILE = "clang-19 -c -emit-llvm -g -w -O0 -Xclang -disable-O0-optnone -fno-builtin -I".split()


@dataclasses.dataclass(frozen=True)
class Case:
    """One comparison: a program and its arguments; see the head of same.toml."""

    name: str
    program: str
    options: list[str]
    old: list[str]
    new: list[str]
    arguments: list[str]
    compare: str
    figures: str | list[str]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the command-line arguments."""
    add = parser.add_argument
    table = BENCHMARKS / "same.toml"
    add("old", type=pathlib.Path, metavar="OLD", help="a build of homi")
    add("new", type=pathlib.Path, metavar="NEW", help="another one, or the same")
    add("--cases", type=pathlib.Path, default=table, help="default benchmarks/same.toml")
    add("--only", default="", metavar="TEXT", help="only the cases whose line holds this text")
    add("--jobs", type=int, default=1, help="cases at a time (default 1)")
    add("--keep", type=pathlib.Path, metavar="DIR", help="keep the output of cases that differ")
    add("--skip-missing", action="store_true", help="programs that are not built are no failure")
    add("--list", action="store_true", help="name the cases and run none")


def programs_of(row: dict) -> list[str]:
    """The programs that a row's patterns stand for."""
    found = []
    for pattern in row["programs"]:
        files = (
            sorted(glob.glob(pattern, root_dir=ROOT, recursive=True)) if "/" in pattern else None
        )
        if files == []:
            raise SystemExit(f"no program is `{pattern}`")
        found += files or [pattern]
    return found


def cases_of(row: dict) -> collections.abc.Iterator[Case]:
    """The cases of a row: one for each program and set of arguments."""
    own = [shlex.split(row.get(key, "")) for key in ("old", "new", "arguments")]
    how = (row.get("compare", "bytes"), row.get("figures", "all"))
    for program in programs_of(row):
        for args in row.get("each", [""]):
            name = f"{row['name']}: {program} {args}".rstrip()
            yield Case(name, program, shlex.split(f"{row['options']} {args}"), *own, *how)


def read_cases(path: pathlib.Path) -> list[Case]:
    """All cases of a file."""
    rows = tomllib.loads(path.read_text())["case"]
    return [case for row in rows for case in cases_of(row)]


def bitcode_of(program: str, work: pathlib.Path) -> pathlib.Path | None:
    """The program's bitcode, made if it is a C file; none if it is not built."""
    if "/" not in program:
        path = COREUTILS / f"bc-19/{program}.bc"
        return path if path.exists() else None
    path = work / "harness.bc"
    command = [*COMPILE, HEADERS, ROOT / program, "-o", path]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"{program} does not compile: {done.stderr.strip()}")
    return path


def explore(
    homi: pathlib.Path, bitcode: pathlib.Path, case: Case, args: list[str], output: pathlib.Path
) -> str | None:
    """Runs a case with one build, in an empty directory; says how it failed without a summary."""
    here = output.with_name(f"{output.name}-directory")
    here.mkdir()
    command = [homi, "run", "--quiet", *case.options, *args, "--output-dir", output, bitcode]
    done = native.quietly([*command, "--", *case.arguments], cwd=here)
    if (output / "summary.json").exists():
        return None
    said = done.stderr.decode(errors="replace").strip().splitlines() or ["nothing"]
    return f"status {done.returncode}, says {said[0]}"


def differences(case: Case, old: pathlib.Path, new: pathlib.Path) -> list[str]:
    """Everything in which two runs of a case differ."""
    if case.compare == "set":
        found = output_differences.sets_of_tests(old, new)
    else:
        found = output_differences.files(old, new) + output_differences.learning(old, new)
    return found + output_differences.summaries(old, new, case.figures)


def judge(arguments: argparse.Namespace, case: Case) -> tuple[str, list[str]]:
    """(outcome, lines that say what differs) of one case."""
    with tempfile.TemporaryDirectory(prefix="homi-same-") as name:
        work = pathlib.Path(name)
        bitcode = bitcode_of(case.program, work)
        if bitcode is None:
            return "missing", [f"scripts/setup subjects {case.program}"]
        old, new = work / "old", work / "new"
        failures = {
            "OLD": explore(arguments.old, bitcode, case, case.old, old),
            "NEW": explore(arguments.new, bitcode, case, case.new, new),
        }
        if any(failures.values()):
            # A case that no build runs compares nothing.
            return "different", [f"{side}: {text}" for side, text in failures.items() if text]
        lines = differences(case, old, new)
        if lines and arguments.keep:
            kept = "".join(c if c.isalnum() else "-" for c in case.name)
            shutil.copytree(work, arguments.keep / kept, dirs_exist_ok=True)
    return ("different", lines) if lines else ("same", [])


def run(arguments: argparse.Namespace) -> int:
    """Runs the wanted cases and prints a line for each."""
    cases = [case for case in read_cases(arguments.cases) if arguments.only in case.name]
    if arguments.list:
        print("\n".join(case.name for case in cases))
        return 0
    arguments.old = arguments.old.resolve(strict=True)
    arguments.new = arguments.new.resolve(strict=True)
    counts: collections.Counter = collections.Counter()
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        results = pool.map(lambda case: judge(arguments, case), cases)
        for case, (outcome, lines) in zip(cases, results, strict=True):
            counts[outcome] += 1
            more = [f"and {len(lines) - MOST_LISTED} more"] if len(lines) > MOST_LISTED else []
            shown = [f"{outcome:9} {case.name}", *lines[:MOST_LISTED], *more]
            print("\n          ".join(shown), flush=True)
    print(", ".join(f"{counts[outcome]} {outcome}" for outcome in ("same", "different", "missing")))
    missing = counts["missing"] and not arguments.skip_missing
    return int(bool(counts["different"] or missing or not cases))
