"""Differences between gcov's branches and homi's: totals per program, and causes per line.

homi numbers the branches of the bitcode that clang -O0 makes; gcov those of gcc -O0. For each
program: the table of branches that `homi run` writes (branches.json), and gcc's from a tracefile
(`homi replay --gcov --lcov`), compared line by line. A clang side is one target of a conditional
branch or switch; a gcc branch is one arc that gcov prints. The third column counts copies of a
header's static functions once, as gcov does.

Needs: scripts/setup subjects; cargo build --release.
"""

import argparse
import collections
import dataclasses
import json
import pathlib
import re
import subprocess
import tempfile

from homibench import engines, studies, subjects, tables
from homibench.branch_causes import CLASSES, Place, class_of, moved_lines, statement
from homibench.places import COREUTILS

Lines = collections.Counter


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the command-line arguments."""
    parser.add_argument("tools", nargs="*", help="default: twelve of coreutils")
    engines.add_homi(parser)
    studies.add_study(parser)


def relative(path: str) -> str:
    """A source's name below the source tree."""
    for mark in ("source/", "/gcov/./"):
        if mark in path:
            return path.split(mark, 1)[1]
    return path.removeprefix("./")


def clang_branches(table: pathlib.Path) -> tuple[int, Lines]:
    """All sides; and sides per (file, line), copies of a header's static function once."""
    copies: dict[tuple[str, int, str], Lines] = collections.defaultdict(collections.Counter)
    for branch in json.loads(table.read_text()):
        function = re.sub(r"\.\d+$", "", branch["function"])
        place = (relative(branch["file"]), branch["line"], function)
        copies[place][branch["function"]] += branch["sides"]
    lines: Lines = collections.Counter()
    for (file, line, _), counts in copies.items():
        lines[file, line] += max(counts.values())
    return sum(sum(counts.values()) for counts in copies.values()), lines


def gcc_branches(tracefile: pathlib.Path) -> tuple[Lines, set[Place]]:
    """Branches per (file, line), and the lines that have code."""
    lines: Lines = collections.Counter()
    code: set[Place] = set()
    file = ""
    for text in tracefile.read_text().splitlines():
        kind, _, rest = text.partition(":")
        if kind == "SF":
            file = relative(rest)
        elif kind == "BRDA":
            lines[file, int(rest.split(",")[0])] += 1
        elif kind == "DA":
            code.add((file, int(rest.split(",")[0])))
    return lines, code


@dataclasses.dataclass(frozen=True)
class Counted:
    """What both compilers have of a program."""

    all_sides: int
    clang: Lines
    gcc: Lines
    code: set[Place]


def measure(homi: pathlib.Path, tool: str, work: pathlib.Path) -> Counted:
    """Both compilers' branches of a program."""
    bitcode, out, trace = COREUTILS / f"bc-19/{tool}.bc", work / tool, work / f"{tool}.lcov"
    quiet = {"check": True, "capture_output": True}
    run = [homi, "run", "--quiet", "--max-time", "20s", "--max-tests", "1", "--output-dir", out]
    args = ["--", *subjects.arguments("usual")]
    subprocess.run([*run, bitcode, *args], cwd=work, stdin=subprocess.DEVNULL, **quiet)
    test = sorted(out.glob("*.ktest"))[0]
    replay = [homi, "replay", "--gcov", "--quiet", "--lcov", trace]
    subprocess.run([*replay, COREUTILS / f"gcov/src/{tool}", test], **quiet)
    return Counted(*clang_branches(out / "branches.json"), *gcc_branches(trace))


class Report:
    """Gathers programs and prints their tables."""

    def __init__(self) -> None:
        self.rows: list[list] = []
        self.examples: dict[str, dict[Place, tuple[int, int, str]]] = {name: {} for name in CLASSES}
        self.totals: dict[str, list[int]] = {name: [0, 0, 0] for name in CLASSES}
        self._sources: dict[str, list[str]] = {}

    def _text_of(self, file: str) -> list[str]:
        if file not in self._sources:
            # A compiler's own headers have absolute names; they count as not there.
            path = COREUTILS / "source" / file.lstrip("/")
            text = path.read_text(errors="replace") if path.is_file() else ""
            self._sources[file] = text.split("\n") if text else []
        return self._sources[file]

    def _add_line(self, key: Place, counted: Counted, moved: set[Place]) -> str:
        file, line = key
        source = self._text_of(file)
        text = source[line - 1].strip() if 0 < line <= len(source) else ""
        whole = statement(source, line) if text else ""
        clang, gcc = counted.clang[key], counted.gcc[key]
        cause = class_of(key in counted.code, clang, gcc, text, whole)
        name = "moved" if key in moved else cause
        for index, number in enumerate((1, clang, gcc)):
            self.totals[name][index] += number
        self.examples[name].setdefault(key, (clang, gcc, text))
        return name

    def add(self, tool: str, counted: Counted) -> None:
        """Compares a program line by line."""
        clang, gcc = counted.clang, counted.gcc
        keys = set(clang) | set(gcc)
        differences = {key: clang[key] - gcc[key] for key in keys if clang[key] != gcc[key]}
        moved = moved_lines(differences)
        causes = (self._add_line(key, counted, moved) for key in sorted(differences))
        counts = collections.Counter(causes)
        totals = [counted.all_sides, sum(clang.values()), sum(gcc.values())]
        equal = len(keys) - len(differences)
        row = [tool, *totals, len(keys), equal, *(counts[name] for name in CLASSES)]
        self.rows.append(row)

    def lines(self) -> list[str]:
        """The tables."""
        titles = ["program", "clang sides", "copies once", "gcc branches", "lines with branches"]
        out = tables.header([*titles, "equal", *CLASSES], numbers=True)
        out += [tables.row(row) for row in self.rows]
        out += ["", 'The columns after "equal" are lines that differ, by cause:', ""]
        out += tables.header(["cause", "lines", "clang sides", "gcc branches", "explanation"])
        out += [tables.row([name, *self.totals[name], text]) for name, text in CLASSES.items()]
        out += ["", "Examples (clang sides, gcc branches):", ""]
        for name in CLASSES:
            most = 4 if name != "other" else 16
            for (file, line), (clang, gcc, text) in list(self.examples[name].items())[:most]:
                out.append(f"- {name}: {clang}, {gcc}: {file}:{line} `{text[:90]}`")
        return out


def run(arguments: argparse.Namespace) -> int:
    """Compares and prints the tables."""
    studies.check(arguments)
    homi = engines.needed(arguments.homi)
    report = Report()
    with tempfile.TemporaryDirectory() as directory:
        for tool in arguments.tools or subjects.programs("branches"):
            report.add(tool, measure(homi, tool, pathlib.Path(directory)))
    print("\n".join(report.lines()))
    facts = ["subjects: coreutils 9.1, clang 19 -O0 against gcc -O0 --coverage"]
    question = "Do gcov and homi count the same branches?"
    studies.write(arguments, question, "coverage", facts, report.lines())
    return 0
