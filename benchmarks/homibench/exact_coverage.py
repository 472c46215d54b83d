"""Exactness of the engine's coverage: native replays with counters per branch side.

For each program: run homi, replay every test on the same bitcode built natively with a counter per
branch side, system calls answered by the modelled kernel, and compare the sets
(`homi replay --check-coverage`). Ended path: the sets of sides must be equal. Unfinished path:
homi's must be contained in the native one.

Prints a table with one line per program; below it the differences counted by cause, then each side
that differs with the number of tests, most frequent first, and its cause if
exact_coverage_causes.txt knows it; and the unsupported features that ended paths.

Status 1 if a test differs or cannot be replayed. Needs: scripts/setup subjects all;
scripts/setup subject all; cargo build --release.
"""

import argparse
import collections
import pathlib
import re
import subprocess
import tempfile

from homibench import engines, native, studies, subjects, tables
from homibench.places import BENCHMARKS

CAUSES = BENCHMARKS / "homibench/exact_coverage_causes.txt"
MOST_LISTED = 40
TITLES = ["program", "tests", "ended, equal", "ended, different", "unfinished, contained"]
TITLES += ["unfinished, not", "not replayed", "sides taken"]
Differences = list[tuple[str, int, str, str]]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the command-line arguments."""
    add = parser.add_argument
    add("programs", nargs="*", help="default: seventeen of eight packages")
    add("-t", "--time", type=int, default=60, help="seconds of each run (default 60)")
    add("-n", "--max-tests", type=int, default=100_000, help="of each run (default 100000)")
    add("-s", "--search", default="md2u", help="default md2u")
    add("--keep", type=pathlib.Path, help="keep builds, tests and reports here")
    engines.add_homi(parser)
    studies.add_study(parser)


def causes() -> list[tuple[str, str]]:
    """Parts of lines that differ, and why they do."""
    lines = CAUSES.read_text().splitlines()
    pairs = (line.split("\t", 1) for line in lines if "\t" in line and not line.startswith("#"))
    return [(part, cause) for part, cause in pairs]


def count(report: str, unit: str) -> int:
    """A number of the report's first line, by the text after it."""
    found = re.search(rf"(\d+) {unit}", report.partition("\n")[0])
    return int(found.group(1)) if found else 0


def explore(arguments: argparse.Namespace, program: str, directory: pathlib.Path) -> bool:
    """Runs homi and the replays, their output in the directory; whether both went well."""
    bitcode, out = subjects.needed_bitcode(program), directory / "tests"
    build = [arguments.homi, "instrument", bitcode, "-o", directory / program]
    subprocess.run(build, check=True, stdout=subprocess.DEVNULL)
    here = directory / "here"
    here.mkdir()
    command = [arguments.homi, "run", "--quiet", "--output-dir", out]
    command += ["--profile", "klee", "--search", arguments.search]
    command += ["--max-time", f"{arguments.time}s", "--max-tests", arguments.max_tests, bitcode]
    args = [*subjects.args_before(program), *subjects.arguments("usual")]
    done = native.quietly([*command, "--", *args], cwd=here)
    if done.returncode:
        print(done.stderr.decode(errors="replace"), flush=True)
    replay = [arguments.homi, "replay", directory / program, out, "--check-coverage"]
    replayed = native.quietly(replay)
    (directory / "report").write_bytes(replayed.stdout)
    return done.returncode == 0 and replayed.returncode == 0


def row(program: str, report: str) -> str:
    """A program's line."""
    equal, contained = count(report, "tests equal"), count(report, "unfinished contained")
    different, failed = count(report, "different"), count(report, "not replayed")
    unfinished = len(re.findall(r"^  test\d+, unfinished ", report, re.MULTILINE))
    tests = equal + contained + different + failed
    cells = [program, tests, equal, different - unfinished, contained, unfinished, failed]
    return tables.row([*cells, count(report, "sides taken")])


def differences(program: str, report: str) -> Differences:
    """(program, how often, what, cause) of what differs, most frequent first."""
    lines = re.findall(r"^(?:  not replayed:|    only).*$", report, re.MULTILINE)
    known = causes()
    found = []
    for text, times in collections.Counter(lines).most_common(MOST_LISTED):
        cause = next((cause for part, cause in known if part in text), "cause not known")
        found.append((program, times, text.strip(), cause))
    return found


def difference_lines(found: Differences) -> list[str]:
    """What differs, by cause and one by one."""
    if not found:
        return ["None."]
    by_cause = collections.defaultdict(list)
    for _, times, _, cause in found:
        by_cause[cause].append(times)
    lines = [
        f"- {len(times)} sides, {sum(times)} times: {cause}"
        for cause, times in sorted(by_cause.items(), key=lambda item: -len(item[1]))
    ]
    each = [f"- {name}, {times} tests: {text}: {why}" for name, times, text, why in found]
    return [*lines, "", *each]


def run(arguments: argparse.Namespace) -> int:
    """Checks all programs and prints the tables."""
    studies.check(arguments)
    arguments.homi = engines.needed(arguments.homi)
    programs = arguments.programs or subjects.programs("exact-coverage")
    rows, found, unsupported, good = tables.header(TITLES, numbers=True), [], [], True
    with tempfile.TemporaryDirectory() as scratch:
        for program in programs:
            directory = (arguments.keep or pathlib.Path(scratch)).resolve() / program
            directory.mkdir(parents=True)
            good &= explore(arguments, program, directory)
            report = (directory / "report").read_text(errors="replace")
            rows.append(row(program, report))
            print(rows[-1], flush=True)
            found += differences(program, report)
            summary = engines.summary(directory / "tests") or {"unsupported": []}
            for one in summary["unsupported"]:
                unsupported.append(f"- {program}: {one['what']}: {one['count']} paths")
    lines = [*rows, "", "Differences:", "", *difference_lines(found), ""]
    lines += ["Unsupported features that ended paths:", "", *(unsupported or ["None."])]
    print("\n".join(lines[len(rows) :]))
    facts = [
        f"budget: {arguments.time} s; search {arguments.search}; bitcode of clang 19",
        f"arguments: {' '.join(subjects.arguments('usual'))}; before them for some programs the "
        f"arguments of subjects.toml",
    ]
    question = "Does the engine report the exact branches of a test?"
    studies.write(arguments, question, "correctness", facts, lines)
    return int(not good)
