"""Command lines of real programs natively and in homi: their output must be the same.

Each command line of benchmarks/corpus/*.txt and of the tests' list for coreutils runs natively
(built by gcc, on glibc) and in homi (the same source as clang's bitcode, on musl and the modelled
kernel), each in a fresh copy of the fixtures. Standard output, standard error and exit status must
be the same.

Prints what differs and a table by program: identical, different with a known cause
(benchmarks/corpus/known.txt), different, unsupported (a path ended at an unsupported feature); then
each of these features, with its command lines.

Status 1 when something differs that known.txt does not list, or when it lists what agrees.
Needs: scripts/setup subjects all; scripts/setup subject all; cargo build --release. (The tests run
the coreutils lines only.)
"""

import argparse
import collections
import concurrent.futures
import os
import pathlib
import re
import shlex
import shutil
import tempfile
import typing

from homibench import engines, native, studies, subjects, tables
from homibench.native import Outcome
from homibench.places import BENCHMARKS, TEST_DATA

CORPUS = BENCHMARKS / "corpus"
FIXTURES = [TEST_DATA / "differential/fixture", CORPUS / "fixture"]
TIME = 60
VERDICTS = ("identical", "known", "different", "unsupported")


class Line(typing.NamedTuple):
    """What became of a command line."""

    verdict: str
    report: str
    unsupported: list[str]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the command-line arguments."""
    add = parser.add_argument
    add("prefix", nargs="?", default="", help="only the command lines that start with this")
    add("--list", metavar="NAME", help="only benchmarks/corpus/NAME.txt")
    add("--clang", default="19", help="version of the bitcode (default 19)")
    add("--jobs", type=int, default=os.cpu_count() or 1)
    add("--quiet", action="store_true", help="only the command lines of differences")
    engines.add_homi(parser)
    studies.add_study(parser)


def command_lines(prefix: str, name: str | None) -> list[str]:
    """The wanted lines of the corpus, each once."""
    files = [TEST_DATA / "differential/commands.txt", *sorted(CORPUS.glob("*.txt"))]
    files = [CORPUS / f"{name}.txt"] if name else files
    texts = [file.read_text() for file in files if file.name != "known.txt"]
    lines = [line for text in texts for line in text.splitlines()]
    wanted = (line for line in lines if line and not line.startswith("#"))
    return list(dict.fromkeys(line for line in wanted if line.startswith(prefix)))


def known_differences() -> dict[str, str]:
    """Cause by command line; a line that ends in * stands for all that start so."""
    lines = (CORPUS / "known.txt").read_text().splitlines()
    pairs = [line.split("\t", 1) for line in lines if line and not line.startswith("#")]
    return {line: cause for line, cause in pairs}


def is_meant(key: str, line: str) -> bool:
    """Whether a key of known.txt stands for the command line."""
    return key == line or (key.endswith("*") and line.startswith(key[:-1]))


def split(line: str) -> tuple[list[str], str | None]:
    """(args, file of standard input)"""
    redirected = re.search(r" < ([\w./-]+)$", line)
    if redirected:
        return shlex.split(line[: redirected.start()]), redirected.group(1)
    return shlex.split(line), None


def run_homi(
    homi: pathlib.Path, bitcode: pathlib.Path, line: str, directory: pathlib.Path
) -> tuple[Outcome, list[str]]:
    """What homi prints, and the unsupported features that ended paths."""
    args, stdin = split(line)
    scratch = directory.parent
    out = scratch / "out"
    command = [homi, "run", "--quiet", "--input-layouts", "off", "--max-time", f"{TIME}s"]
    command += ["--output-dir", out]
    command += ["--env-file", native.environment_file(scratch), bitcode, "--", *args[1:]]
    if stdin:
        with (directory / stdin).open("rb") as source:
            done = native.quietly(command, cwd=directory, stdin=source)
    else:
        done = native.quietly(command, cwd=directory)
    summary = engines.summary(out)
    if summary is None:
        return Outcome(b"", done.stderr, "homi failed"), []
    statuses = list(summary["exit_statuses"])
    status = statuses[0] if len(statuses) == 1 else f"statuses {statuses}: {summary['errors']}"
    streams = [(out / name).read_bytes() for name in ("stdout.txt", "stderr.txt")]
    return Outcome(*streams, status), [one["what"] for one in summary["unsupported"]]


def compare(line: str, arguments: argparse.Namespace) -> Line:
    """Runs a command line in both."""
    args, stdin = split(line)
    program, bitcode = subjects.native(args[0]), subjects.bitcode(args[0], arguments.clang)
    if not (program and bitcode):
        raise SystemExit(f"{args[0]} is not built: {subjects.REMEDY}")
    with tempfile.TemporaryDirectory() as scratch:
        directory = pathlib.Path(scratch) / "w"
        for fixture in FIXTURES:
            shutil.copytree(fixture, directory, dirs_exist_ok=True)
        ours, unsupported = run_homi(arguments.homi, bitcode, line, directory)
        source = directory / stdin if stdin else None
        theirs = native.run(program, args, directory, TIME, source)
    theirs = theirs or Outcome(b"", b"", "timeout")
    if ours == theirs:
        return Line("identical", "", unsupported)
    features = [f"    unsupported: {one}" for one in unsupported]
    report = [f"$ {line}", *features, *differing(ours, theirs)]
    return Line("unsupported" if unsupported else "different", "\n".join(report), unsupported)


def differing(ours: Outcome, theirs: Outcome) -> list[str]:
    """The parts that differ, from shortly before the first difference on."""
    report = []
    for what, left, right in zip(Outcome._fields, ours, theirs):
        if left != right:
            at = len(os.path.commonprefix([left, right]))
            start, end = max(0, at - 60), max(0, at - 60) + 360
            report.append(f"    {what} from {start}:")
            report.append(f"        homi   {left[start:end]!s}")
            report.append(f"        native {right[start:end]!s}")
    return report


class Tally:
    """What became of all command lines."""

    def __init__(self) -> None:
        self.known = known_differences()
        self.stale = set(self.known)
        self.counts: dict[str, collections.Counter] = collections.defaultdict(collections.Counter)
        self.causes: list[tuple[str, str]] = []
        self.unsupported: dict[str, list[str]] = collections.defaultdict(list)
        self.failed = False

    def add(self, line: str, result: Line, quiet: bool) -> None:
        """Counts a line, and prints it if it differs for no known cause."""
        for feature in dict.fromkeys(result.unsupported):
            self.unsupported[feature].append(line)
        verdict = result.verdict
        if verdict != "identical":
            keys = [key for key in self.known if is_meant(key, line)]
            self.stale -= set(keys)
            if keys:
                verdict = "known"
                self.causes.append((line, self.known[keys[0]]))
            else:
                self.failed = True
                print(f"$ {line}" if quiet else result.report, flush=True)
        self.counts[split(line)[0][0]][verdict] += 1

    def lines(self) -> list[str]:
        """The tables."""
        titles = ["program", "command lines", "identical", "known cause", "different"]
        titles.append("unsupported")
        rows = tables.header(titles, numbers=True)
        everything = sum(self.counts.values(), collections.Counter())
        for name, count in [*sorted(self.counts.items()), ("all", everything)]:
            rows.append(tables.row([name, sum(count.values()), *(count[v] for v in VERDICTS)]))
        if self.causes:
            rows += ["", "Known causes:", ""]
            rows += [f"- `{line}`: {cause}" for line, cause in self.causes]
        if not self.unsupported:
            return [*rows, "", "No path ended at an unsupported feature."]
        rows += ["", "Gaps that paths ended in:", ""]
        rows += tables.header(["unsupported", "command lines", "such as"])
        most_first = sorted(self.unsupported.items(), key=lambda item: -len(item[1]))
        for feature, lines in most_first:
            rows.append(tables.row([feature, len(lines), f"`{tables.escaped(lines[0])}`"]))
        return rows


def run(arguments: argparse.Namespace) -> int:
    """Compares all wanted command lines."""
    studies.check(arguments)
    arguments.homi = engines.needed(arguments.homi)
    lines = command_lines(arguments.prefix, arguments.list)
    tally = Tally()
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        results = pool.map(lambda line: compare(line, arguments), lines)
        for line, result in zip(lines, results):
            tally.add(line, result, arguments.quiet)
    print("\n".join(tally.lines()))
    stale = [] if arguments.list else sorted(tally.stale)
    for line in (line for line in stale if line.startswith(arguments.prefix)):
        print(f"agrees now, remove it from known.txt: {line}")
        tally.failed = True
    facts = [f"corpus: {len(lines)} command lines; bitcode of clang {arguments.clang}"]
    question = "Do real programs print the same in homi and natively?"
    studies.write(arguments, question, "correctness", facts, tally.lines())
    return int(tally.failed)
