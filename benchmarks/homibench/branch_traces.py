"""Sets of branch traces: homi and KLEE must follow the same paths of a coreutils program.

  benchmarks/bench branch-traces echo --homi-tests DIR --klee-tests DIR
  benchmarks/bench branch-traces echo expr                  runs both engines first
  benchmarks/bench branch-traces expr --sym-args "0 2 2" --time 1200

Each engine explores the program with --sym-args and writes a test for each path (homi:
--all-tests). All tests of both then run natively, in a build of the program (coreutils' configured
sources, gcc -O0, every basic block of the program and of gnulib traced, glibc not), and the traces
are compared as sets: paths differ as each engine's libc does, but what the program itself can do is
one set. What one engine has and the other lacks is listed with its arguments. Where an engine did
not end in its time, its set is a part only, and only what the other lacks of it counts.

Needs: HOMI_CLANG=16 scripts/setup subjects PROGRAM; cargo build --release; KLEE or its tests.
"""

import argparse
import os
import pathlib
import shutil
import struct
import subprocess
import sys

from homibench import engines, ktest, studies, tables
from homibench.places import BENCHMARKS, COREUTILS, ROOT

HARNESS = BENCHMARKS / "homibench/branch_traces_harness.c"
MOST_LISTED = 10
TITLES = ["program", "engine", "tests", "ended", "traces", "that the other lacks"]
Args = tuple[bytes, ...]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the command-line arguments."""
    add = parser.add_argument
    add("programs", nargs="+", metavar="PROGRAM", help="a tool of coreutils")
    add("--homi-tests", type=pathlib.Path, help="output of a run of homi instead of a new run")
    add("--klee-tests", type=pathlib.Path, help="output of a run of KLEE instead of a new run")
    add("--sym-args", default="0 2 3", help='symbolic arguments (default "0 2 3")')
    add("--time", type=int, default=600, help="limit of each run in seconds (default 600)")
    default = ROOT / ".deps/branch-traces"
    add("--work", type=pathlib.Path, default=default, help="builds and runs")
    engines.add_homi(parser)
    add("--klee", default=shutil.which("klee"), help="KLEE (default: klee on PATH)")
    studies.add_study(parser)


def build(program: str, work: pathlib.Path) -> pathlib.Path:
    """The traced build; its folder starts as a copy of the configured one, as the others do."""
    folder = work / "build"
    if not folder.exists():
        if not (COREUTILS / "configured").exists():
            raise SystemExit(f"{COREUTILS} is missing: scripts/setup subjects {program}")
        # The sources are found by ../source.
        (work / "source").symlink_to(COREUTILS / "source")
        shutil.copytree(COREUTILS / "configured", folder, symlinks=True)
    harness = folder / "harness.o"
    subprocess.run(["gcc", "-O1", "-Wall", "-c", HARNESS, "-o", harness], check=True)
    flags = "-g -O0 -no-pie -fsanitize-coverage=trace-pc -Dmain=program_main"
    command = ["make", "-C", folder, f"-j{os.cpu_count()}", "CC=gcc", f"CFLAGS={flags}"]
    command += [f"LIBS={harness}", f"src/{program}"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        said = f"{done.stdout[-1000:]}{done.stderr[-2000:]}"
        raise SystemExit(f"the traced build failed:\n{said}")
    return folder / "src" / program


def explore(engine: str, program: str, arguments: argparse.Namespace) -> pathlib.Path:
    """The output directory of an engine's run."""
    given = arguments.homi_tests if engine == "homi" else arguments.klee_tests
    if given:
        return given
    output = arguments.work / f"{engine}-{program}"
    shutil.rmtree(output, ignore_errors=True)
    bitcode, time = COREUTILS / f"bc-16/{program}.bc", f"{arguments.time}s"
    args = ["--sym-args", *arguments.sym_args.split()]
    if engine == "homi":
        command = [arguments.homi, "run", bitcode, "--profile", "klee", "--search", "dfs"]
        command += ["--all-tests", "--max-time", time, "--output-dir", output, "--", *args]
    else:
        command = [arguments.klee, "--search=dfs", f"--max-time={time}", *engines.KLEE_POSIX]
        command += [f"--output-dir={output}", bitcode, *args]
    engines.measured(command, arguments.work)
    return output


def tests_of(directory: pathlib.Path) -> list[Args]:
    """The command lines of all tests of a run."""
    found = [ktest.command_line(path) for path in sorted(directory.glob("*.ktest"))]
    if not found:
        raise SystemExit(f"no tests in {directory}")
    return [args for args in found if args is not None]


def traces(executable: pathlib.Path, lines: list[Args]) -> list[str]:
    """For each command line its trace: hash, blocks and end of the run."""
    texts = [struct.pack("<I", len(args)) + b"".join(a + b"\0" for a in args) for args in lines]
    environment = {"PATH": "/usr/bin:/bin", "LC_ALL": "C"}
    options = {"stdout": subprocess.PIPE, "env": environment, "check": True}
    found = subprocess.run([executable], input=b"".join(texts), **options).stdout.decode()
    if len(found.splitlines()) != len(lines):
        raise SystemExit(f"{len(lines)} command lines, {len(found.splitlines())} traces")
    return found.splitlines()


def shown(args: Args) -> str:
    """Arguments as they can be read."""
    return " ".join(repr(arg)[1:] for arg in args) or "(no argument)"


def ended(directory: pathlib.Path) -> str:
    """Whether the engine explored every path."""
    info = directory / "info"
    text = info.read_text(errors="replace") if info.exists() else ""
    return "yes" if "partially completed paths = 0" in text else "no"


def compare(program: str, arguments: argparse.Namespace) -> list[str]:
    """A program's two lines."""
    executable = build(program, arguments.work)
    sets: dict[str, dict[str, Args]] = {}
    rows = []
    for engine in ("homi", "KLEE"):
        directory = explore(engine.lower(), program, arguments)
        lines = tests_of(directory)
        first: dict[str, Args] = {}
        for trace, args in zip(traces(executable, lines), lines):
            first.setdefault(trace, args)
        sets[engine] = first
        rows.append((engine, len(lines), ended(directory), len(first)))
    text = []
    for (engine, tests, end, count), other in zip(rows, ("KLEE", "homi")):
        only = [args for trace, args in sets[engine].items() if trace not in sets[other]]
        text.append(
            tables.row([program, engine, f"{tests:,}", end, f"{count:,}", f"{len(only):,}"])
        )
        for args in only[:MOST_LISTED]:
            print(f"{program}: only {engine}: {shown(args)}", file=sys.stderr)
    return text


def run(arguments: argparse.Namespace) -> int:
    """Compares and prints the table."""
    if (arguments.homi_tests or arguments.klee_tests) and len(arguments.programs) > 1:
        raise SystemExit("--homi-tests and --klee-tests are of one program")
    if not arguments.klee and not arguments.klee_tests:
        raise SystemExit("no klee on PATH: give --klee or --klee-tests")
    studies.check(arguments)
    arguments.homi = arguments.homi if arguments.homi_tests else engines.needed(arguments.homi)
    arguments.work = arguments.work.resolve()
    arguments.work.mkdir(parents=True, exist_ok=True)
    lines = tables.header(TITLES)
    for program in arguments.programs:
        lines += compare(program, arguments)
    print("\n".join(lines))
    facts = [f"arguments: --sym-args {arguments.sym_args}; depth first, limit {arguments.time} s"]
    question = "Do homi and KLEE follow the same paths of a program?"
    studies.write(arguments, question, "correctness", facts, lines)
    return 0
