"""Whether two builds of homi write the same tests, coverage and figures.

Runs the cases of benchmarks/same.toml with both builds, each run in a directory of its own, and prints a line per case.
What must be equal is said there; times and memory never are. Budgets are instructions, so equal builds write equal bytes.

  benchmarks/bench same OLD NEW                     all cases
  benchmarks/bench same OLD OLD --only 'default'    some of them; a build is equal to itself

Status 1 if a case differs, or its program is missing (--skip-missing: that is allowed). Needs: clang-19;
scripts/setup runtime; scripts/setup subjects echo wc expr pr.
"""

import argparse
import concurrent.futures
import dataclasses
import glob
import json
import pathlib
import shlex
import shutil
import subprocess
import tempfile
import tomllib
import typing

from homibench.places import BENCHMARKS, COREUTILS, HEADERS, ROOT

# Of an output directory: the files of tests and these.
COMPARED = {"coverage.jsonl", "branches.json", "learning-data.jsonl", "stdout.txt", "stderr.txt"}
# The head of learning-data.jsonl names the output directory.
WITHOUT_FIRST_LINE = {"learning-data.jsonl"}
# Keys of summary.json and learning.jsonl that two runs of one build do not share: times (all that end in `_s`), memory,
# and what is sampled by the clock.
UNEQUAL_KEYS = {"memory", "memory_peak_bytes", "rewalk_time_share", "states_mean", "states_each_second", "branches_each_second"}


@dataclasses.dataclass(frozen=True)
class Case:
    """One comparison: a program and the words for it; see the head of same.toml."""

    name: str
    program: str
    options: list[str]
    old: list[str]
    new: list[str]
    arguments: list[str]
    compare: str
    figures: str | list[str]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The command line's words."""
    parser.add_argument("old", type=pathlib.Path, metavar="OLD", help="a build of homi")
    parser.add_argument("new", type=pathlib.Path, metavar="NEW", help="another one, or the same")
    parser.add_argument("--cases", type=pathlib.Path, default=BENCHMARKS / "same.toml", help="default benchmarks/same.toml")
    parser.add_argument("--only", default="", metavar="TEXT", help="only the cases whose line holds this text")
    parser.add_argument("--jobs", type=int, default=1, help="cases at a time (default 1)")
    parser.add_argument("--keep", type=pathlib.Path, metavar="DIR", help="keep the output of cases that differ here")
    parser.add_argument("--skip-missing", action="store_true", help="programs that are not built are no failure")
    parser.add_argument("--list", action="store_true", help="name the cases and run none")


def programs_of(pattern: str) -> list[str]:
    """The programs that a word of `programs` stands for."""
    if "/" not in pattern:
        return [pattern]
    return sorted(glob.glob(pattern, root_dir=ROOT, recursive=True))


def read_cases(path: pathlib.Path) -> list[Case]:
    """All cases of a file, one for each program and set of words."""
    cases = []
    for row in tomllib.loads(path.read_text())["case"]:
        old, new, arguments = (shlex.split(row.get(key, "")) for key in ("old", "new", "arguments"))
        for program in (program for pattern in row["programs"] for program in programs_of(pattern)):
            for words in row.get("each", [""]):
                name = " ".join(part for part in (f"{row['name']}: {program}", words) if part)
                options = shlex.split(f"{row['options']} {words}")
                cases.append(Case(name, program, options, old, new, arguments, row.get("compare", "bytes"), row.get("figures", "all")))
    return cases


def bitcode_of(program: str, work: pathlib.Path) -> pathlib.Path | None:
    """The program's bitcode, made if it is a C file; none if it is not built."""
    if "/" not in program:
        path = COREUTILS / f"bc-19/{program}.bc"
        return path if path.exists() else None
    path = work / "harness.bc"
    command = ["clang-19", "-c", "-emit-llvm", "-g", "-w", "-O0", "-Xclang", "-disable-O0-optnone", "-fno-builtin", "-I", HEADERS,
               ROOT / program, "-o", path]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"{program} does not compile: {done.stderr.strip()}")
    return path


def explore(homi: pathlib.Path, bitcode: pathlib.Path, case: Case, words: list[str], output: pathlib.Path) -> str | None:
    """Runs a case with one build, in an empty directory; says how it failed if it left no summary."""
    here = output.with_name(f"{output.name}-directory")
    here.mkdir()
    command = [homi, "run", "--quiet", *case.options, *words, "--output-dir", output, bitcode, "--", *case.arguments]
    done = subprocess.run(command, cwd=here, stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace", check=False)
    if (output / "summary.json").exists():
        return None
    said = done.stderr.strip().splitlines() or ["nothing"]
    return f"status {done.returncode}, says {said[0]}"


def compared_files(output: pathlib.Path) -> dict[str, bytes]:
    """The files of a run that must be equal, by name."""
    paths = [path for path in sorted(output.iterdir()) if path.name in COMPARED or path.name.startswith("test") and path.is_file()]
    contents = {path.name: path.read_bytes() for path in paths}
    return {name: text.partition(b"\n")[2] if name in WITHOUT_FIRST_LINE else text for name, text in contents.items()}


def file_differences(old: pathlib.Path, new: pathlib.Path) -> list[str]:
    """Which files only one run has, or which are not equal."""
    left, right = compared_files(old), compared_files(new)
    lines = [f"only {side} has {name}" for side, names in (("OLD", left.keys() - right.keys()), ("NEW", right.keys() - left.keys()))
             for name in sorted(names)]
    return lines + [f"{name} differs" for name in sorted(left.keys() & right.keys()) if left[name] != right[name]]


def set_differences(old: pathlib.Path, new: pathlib.Path) -> list[str]:
    """How many tests only one run has, whatever their numbers."""
    left, right = ({path.read_bytes() for path in output.glob("*.ktest")} for output in (old, new))
    return [] if left == right else [f"{len(left - right)} tests only in OLD, {len(right - left)} only in NEW"]


def figures(value: typing.Any, at: str = "") -> typing.Iterator[tuple[str, typing.Any]]:
    """The figures of a summary that two runs share, by the names that lead to them."""
    if isinstance(value, dict):
        for key, inner in value.items():
            if not key.endswith("_s") and key not in UNEQUAL_KEYS:
                yield from figures(inner, f"{at}.{key}" if at else key)
    elif isinstance(value, list) and any(isinstance(item, dict) for item in value):
        for number, inner in enumerate(value):
            yield from figures(inner, f"{at}[{number}]")
    else:
        yield at, value


def figure_differences(old: pathlib.Path, new: pathlib.Path, wanted: str | list[str]) -> list[str]:
    """The figures of summary.json that differ."""
    summaries = [json.loads((output / "summary.json").read_text()) for output in (old, new)]
    if wanted != "all":
        summaries = [{key: summary.get(key) for key in wanted} for summary in summaries]
    left, right = (dict(figures(summary)) for summary in summaries)
    absent = object()
    return [f"{name}: {left.get(name, 'absent')} and {right.get(name, 'absent')}" for name in sorted(left.keys() | right.keys())
            if left.get(name, absent) != right.get(name, absent)]


def learning_differences(old: pathlib.Path, new: pathlib.Path) -> list[str]:
    """The runs of a campaign (lines of learning.jsonl) whose figures differ, with the first such figure."""
    left, right = ([dict(figures(json.loads(line))) for line in (output / "learning.jsonl").read_text().splitlines()]
                   if (output / "learning.jsonl").exists() else [] for output in (old, new))
    if len(left) != len(right):
        return [f"learning.jsonl: {len(left)} and {len(right)} lines"]
    lines = []
    for number, (one, two) in enumerate(zip(left, right), 1):
        name = next((name for name in sorted(one.keys() | two.keys()) if one.get(name) != two.get(name)), None)
        if name:
            lines.append(f"learning.jsonl:{number} {name}: {one.get(name, 'absent')} and {two.get(name, 'absent')}")
    return lines


def differences(case: Case, old: pathlib.Path, new: pathlib.Path) -> list[str]:
    """Everything in which two runs of a case differ."""
    if case.compare == "set":
        files = set_differences(old, new)
    else:
        files = file_differences(old, new) + learning_differences(old, new)
    return files + figure_differences(old, new, case.figures)


def judge(arguments: argparse.Namespace, case: Case) -> tuple[str, list[str]]:
    """(outcome, lines that say what differs) of one case."""
    with tempfile.TemporaryDirectory(prefix="homi-same-") as name:
        work = pathlib.Path(name)
        bitcode = bitcode_of(case.program, work)
        if bitcode is None:
            return "missing", [f"scripts/setup subjects {case.program}"]
        old, new = work / "old", work / "new"
        failures = [explore(arguments.old, bitcode, case, case.old, old), explore(arguments.new, bitcode, case, case.new, new)]
        lines = [f"{side}: {failure}" for side, failure in zip(("OLD", "NEW"), failures) if failure]
        # Where neither build runs the program, both must say why in the same words.
        if any(failures):
            return ("same", []) if failures[0] == failures[1] and case.old == case.new else ("different", lines)
        lines = differences(case, old, new)
        if lines and arguments.keep:
            shutil.copytree(work, arguments.keep / "".join(c if c.isalnum() else "-" for c in case.name), dirs_exist_ok=True)
    return ("different", lines) if lines else ("same", [])


def run(arguments: argparse.Namespace) -> int:
    """Runs the wanted cases and prints a line for each."""
    cases = [case for case in read_cases(arguments.cases) if arguments.only in case.name]
    if arguments.list:
        print("\n".join(case.name for case in cases))
        return 0
    arguments.old, arguments.new = arguments.old.resolve(strict=True), arguments.new.resolve(strict=True)
    counts = {"same": 0, "different": 0, "missing": 0}
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        for case, (outcome, lines) in zip(cases, pool.map(lambda case: judge(arguments, case), cases)):
            counts[outcome] += 1
            print(f"{outcome:9} {case.name}", *lines, sep="\n          ", flush=True)
    print(", ".join(f"{count} {outcome}" for outcome, count in counts.items()))
    failed = counts["different"] or not cases or (counts["missing"] and not arguments.skip_missing)
    return 1 if failed else 0
