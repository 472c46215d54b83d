"""Short runs of programs of Debian 12 that homi was not tuned for.

For each package: the upstream source as Debian has it, built as bitcode (wllvm, clang 19, -O0 -g);
`homi run` on each of its programs; where that finds errors, a build by
`gcc -O0 -g -fsanitize=address` and `homi replay` of a test of each error on it. A memory error
counts as confirmed if AddressSanitizer reports one in that file, any other if the program ends by a
signal. AddressSanitizer does not see errors within what the kernel hands over (arguments,
environment) nor reads of memory that nobody wrote, so what is not confirmed need not be wrong.

  benchmarks/bench programs                    all: a quarter of an hour, most of it building
  benchmarks/bench programs tree mawk --time 60

Needs: cargo build --release; scripts/setup; apt. Builds stay in .deps/programs.
"""

import argparse
import collections.abc
import os
import pathlib
import re
import subprocess
import tempfile
import typing

from homibench import engines, native, studies, subjects, tables
from homibench.places import ROOT

DEPS = ROOT / ".deps"
BITCODE_FLAGS = "-g -O0 -Xclang -disable-O0-optnone"
FETCH = (
    'set -euo pipefail; for f in common apt; do . scripts/lib/$f.sh; done; apt_source "$1" "" "$2"'
)
TITLES = ["program", "paths ended", "tests", "instructions, millions", "own branch sides"]
TITLES += ["solver", "ended by an unsupported feature", "errors"]


class Error(typing.NamedTuple):
    """A test that shows an error: where it is and what kind."""

    test: pathlib.Path
    title: str
    file: str
    line: int


class Program(typing.NamedTuple):
    """A program as bitcode, and how its checked native build is made."""

    name: str
    bitcode: pathlib.Path
    checked: collections.abc.Callable[[], pathlib.Path]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the command-line arguments."""
    add = parser.add_argument
    known = sorted(subjects.debian())
    add("packages", nargs="*", metavar="package", help=f"of {', '.join(known)}; all without one")
    add("--time", type=int, default=20, help="seconds of processor time per program (default 20)")
    add("--seed", type=int, default=1)
    engines.add_homi(parser)
    studies.add_study(parser)


def fetch(package: str, base: pathlib.Path) -> str:
    """The package's version; its unpacked source is in base/source."""
    if not (base / "source").is_dir():
        base.mkdir(parents=True, exist_ok=True)
        subprocess.run(["bash", "-c", FETCH, "-", package, base], cwd=ROOT, check=True)
        (tarball,) = base.glob("*.orig.tar.*z*")
        (base / "unpacked").mkdir(exist_ok=True)
        unpack = ["tar", "-C", base / "unpacked", "--strip-components=1", "-xf", tarball]
        subprocess.run(unpack, check=True)
        (base / "unpacked").rename(base / "source")
    (tarball,) = base.glob("*.orig.tar.*z*")
    return re.search(r"_(.*)\.orig", tarball.name).group(1)


def build(
    base: pathlib.Path, folder: str, compiler: object, flags: str, environment: dict[str, str]
) -> pathlib.Path:
    """A fresh copy of the source, configured by gcc and made by `compiler`."""
    target = base / folder
    if (target / ".made").exists():
        return target
    subprocess.run(["rm", "-rf", target], check=True)
    subprocess.run(["cp", "-a", base / "source", target], check=True)
    with open(base / f"{folder}.log", "w") as log:
        options = {"env": environment, "cwd": target, "stdout": log, "stderr": subprocess.STDOUT}
        if (target / "configure").exists():
            setup = ["./configure", "--disable-nls", "--disable-shared", "--enable-static"]
            subprocess.run([*setup, "CC=gcc", "CFLAGS=-O1"], check=True, **options)
        # A package's tests and manuals may need what is not here; what counts is that its programs
        # are made.
        make = ["make", "-k", f"-j{os.cpu_count()}", f"CC={compiler}", f"CFLAGS={flags}"]
        subprocess.run([*make, "MAKEINFO=true"], check=False, **options)
    (target / ".made").touch()
    return target


def prepare(package: str) -> collections.abc.Iterator[Program]:
    """The package's programs, built."""
    base = DEPS / "programs" / package
    version = fetch(package, base)
    plain = dict(os.environ, FORCE_UNSAFE_CONFIGURE="1", ASAN_OPTIONS="detect_leaks=0")
    wllvm = plain | {
        "LLVM_COMPILER": "clang",
        "LLVM_COMPILER_PATH": "/usr/lib/llvm-19/bin",
        "PYTHONPATH": str(DEPS / "wllvm"),
    }
    bitcode = build(base, "bitcode", DEPS / "wllvm/bin/wllvm", BITCODE_FLAGS, wllvm)

    def checked(program: str) -> pathlib.Path:
        return build(base, "checked", "gcc -fsanitize=address", "-g -O0", plain) / program

    for program in subjects.debian()[package]:
        target = base / (pathlib.Path(program).name + ".bc")
        if not target.exists():
            extract = [DEPS / "wllvm/bin/extract-bc", bitcode / program, "-o", target]
            subprocess.run(extract, env=wllvm, check=True, capture_output=True)
        name = f"{target.stem} {version}"
        yield Program(name, target, lambda program=program: checked(program))


def errors(output: pathlib.Path) -> list[Error]:
    """The first test of each error."""
    found: dict[tuple[str, int], Error] = {}
    for report in sorted(output.glob("*.err")):
        text = report.read_text(errors="replace")
        place = re.search(r"^File: (.*)\nLine: (\d+)", text, re.M)
        if place:
            title = re.match(r"Error: (.*)", text).group(1)
            test = report.with_name(report.name.split(".")[0] + ".ktest")
            file, line = pathlib.Path(place.group(1)).name, int(place.group(2))
            found.setdefault((file, line), Error(test, title, file, line))
    return sorted(found.values())


def confirmed(
    homi: pathlib.Path, executable: pathlib.Path, error: Error, directory: pathlib.Path
) -> str:
    """What the native program says of the error."""
    if not executable.exists():
        return "no native build"
    replay = [homi, "replay", "--show-output", "--timeout", "20s", executable, error.test]
    text = native.quietly(replay, cwd=directory).stdout.decode(errors="replace")
    signal = re.search(r"signal (SIG\w+)", text)
    report = re.search(r"AddressSanitizer: ([\w-]+)", text)
    if not (report and signal):
        return signal.group(1) if signal else "not seen"
    if error.file not in text:
        return f"another report: {report.group(1)}"
    at_line = f" at line {error.line}" if f"{error.file}:{error.line}" in text else ""
    return f"AddressSanitizer: {report.group(1)}{at_line}"


def row(program: Program, summary: dict, tests: int, found: list[Error]) -> str:
    """A program's line."""
    features = summary["unsupported"]
    unsupported = [f"{one['what']} {one['location']} ({one['count']})" for one in features]
    paths, coverage = summary["paths"], summary["coverage"]
    cells = [
        program.name,
        f"{paths['completed'] + paths['error'] + paths['unsupported']:,}",
        tests,
        f"{summary['instructions'] / 1e6:.0f}",
        f"{coverage['branches']} of {coverage['branches_total']}",
        f"{summary['solver']['time_s'] / summary['cpu_s']:.0%}",
        "; ".join(unsupported) or "-",
        len(found),
    ]
    return tables.row(cells)


def judge(arguments: argparse.Namespace, program: Program) -> tuple[str, list[str]]:
    """A program's line, and a line for each of its errors."""
    with tempfile.TemporaryDirectory() as scratch:
        os.chmod(scratch, 0o755)
        output, work = pathlib.Path(scratch) / "out", pathlib.Path(scratch) / "work"
        work.mkdir()
        command = [arguments.homi, "run", program.bitcode, "--output-dir", output, "--quiet"]
        command += ["--max-time", f"{arguments.time}s", "--clock", "cpu"]
        command += ["--seed", arguments.seed, "--", *subjects.arguments("foreign")]
        done = native.quietly(command, cwd=work)
        summary = engines.summary(output)
        if summary is None:
            said = done.stderr.decode(errors="replace").strip()[:200]
            return f"| {program.name} | homi ended with {done.returncode}: {said} |", []
        found = errors(output)
        lines = []
        for error in found:
            seen = confirmed(arguments.homi, program.checked(), error, work)
            where = f"{error.file}:{error.line}"
            lines.append(tables.row([program.name, where, error.title, seen]))
        return row(program, summary, len(list(output.glob("*.ktest"))), found), lines


def run(arguments: argparse.Namespace) -> int:
    """Judges all packages and prints the tables."""
    unknown = sorted(set(arguments.packages) - set(subjects.debian()))
    if unknown:
        raise SystemExit(f"no such package: {', '.join(unknown)}")
    studies.check(arguments)
    arguments.homi = engines.needed(arguments.homi)
    lines, found = tables.header(TITLES), []
    for package in arguments.packages or sorted(subjects.debian()):
        for program in prepare(package):
            line, more = judge(arguments, program)
            print(line, flush=True)
            lines.append(line)
            found += more
    lines += ["", "Errors, one test each, on the native program built with AddressSanitizer:", ""]
    lines += [*tables.header(["program", "line", "homi", "native"]), *found]
    print("\n".join(lines[-len(found) - 3 :]))
    facts = [
        f"budget: {arguments.time} s of processor time; seed {arguments.seed}; default search",
        f"arguments: {' '.join(subjects.arguments('foreign'))}",
    ]
    question = "Does a short run find bugs in unfamiliar programs?"
    studies.write(arguments, question, "correctness", facts, lines)
    return 0
