"""Programs explored to exhaustion by homi and KLEE: the same paths, and the time they take.

  benchmarks/bench paths                         all programs, 5 runs of each, medians
  benchmarks/bench paths sort crc --runs 1       some of them
  benchmarks/bench paths --klee /path/to/klee    a KLEE that is not on PATH

The same bitcode for both, depth first. The small programs are in benchmarks/paths-programs; echo
and expr are coreutils' with `--sym-args 0 2 3`, with each engine's own libc. Times are of the wall
and of the processor from start to end of the process; on a busy machine the latter are the better
guide. KLEE writes no tests (--write-no-tests); homi has no such option and writes its usual ones,
which cover something new. homi's first run on a program reads and lowers it and fills the cache of
lowered programs; it is given by itself ("first"), the median is over the runs after it. Both
engines have a time limit; where one reaches it, paths per second are compared. Paths must be the
same: all cases of a switch with one target are one fork in both.

Needs: clang-16; HOMI_CLANG=16 scripts/setup subjects echo expr; cargo build --release.
Status 1 if the engines count different paths.
"""

import argparse
import dataclasses
import pathlib
import shutil
import statistics
import subprocess
import sys
import tempfile

from homibench import engines, studies, subjects, tables
from homibench.places import BENCHMARKS, COREUTILS, HEADERS

TOOLS = ("echo", "expr")
# Beyond this many seconds a run is not repeated.
LONG = 20.0
TITLES = ["program", "paths", "homi first s", "homi s", "homi CPU s", "KLEE paths", "KLEE s"]
TITLES += ["KLEE CPU s", "same paths", "times", "times, CPU"]


@dataclasses.dataclass(frozen=True)
class Exploration:
    """One run: its times, paths that ended and that did not, whether the time limit ended it."""

    wall: float
    cpu: float
    paths: int
    partial: int
    limit: bool


@dataclasses.dataclass(frozen=True)
class Result:
    """The runs of an engine on a program: the first, and the medians of those after it."""

    first: float
    wall: float
    cpu: float
    paths: int
    partial: int
    limit: bool


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the command-line arguments."""
    known = subjects.programs("paths")
    add = parser.add_argument
    add("programs", nargs="*", metavar="PROGRAM", help=f"of {', '.join(known)}; all without one")
    add("--runs", type=int, default=5, help="runs of each (default 5)")
    add("--time", type=int, default=300, help="limit of one run in seconds (default 300)")
    add("--seed", type=int, default=1, help="of both engines (depth first uses none)")
    text = "profile of homi's search (default klee; none: omit --profile, for old builds)"
    add("--profile", default="klee", help=text)
    add("--clang", default="clang-16", help="compiler of the small programs (default clang-16)")
    engines.add_homi(parser)
    engines.add_klee(parser)
    studies.add_study(parser)


def bitcode_of(program: str, clang: str, directory: pathlib.Path) -> tuple[pathlib.Path, list[str]]:
    """The program's bitcode, and its arguments."""
    if program in TOOLS:
        path = COREUTILS / f"bc-{clang.removeprefix('clang-')}/{program}.bc"
        if not path.exists():
            raise SystemExit(f"{path} is missing: HOMI_CLANG=16 scripts/setup subjects {program}")
        return path, subjects.arguments("small")
    engines.needed_tool(clang, "scripts/setup compilers")
    path = directory / f"{program}.bc"
    source = BENCHMARKS / "paths-programs" / f"{program}.c"
    # Without -O the branches of the source are the branches of the program.
    flags = ["-O0", "-Xclang", "-disable-O0-optnone", "-g", "-I", HEADERS, "-emit-llvm", "-c"]
    subprocess.run([clang, *flags, source, "-o", path], check=True)
    return path, []


def command_of(
    engine: str,
    arguments: argparse.Namespace,
    bitcode: pathlib.Path,
    args: list[str],
    output: pathlib.Path,
) -> list:
    """An engine's command line."""
    time, seed = f"{arguments.time}s", arguments.seed
    if engine == "homi":
        profile = [] if arguments.profile == "none" else ["--profile", arguments.profile]
        command = [arguments.homi, "run", bitcode, *profile, "--search", "dfs", "--seed", seed]
        return [*command, "--max-time", time, "--output-dir", output, "--", *args]
    command = [arguments.klee, "--search=dfs", "--write-no-tests", f"--rng-initial-seed={seed}"]
    command += [f"--max-time={time}", f"--output-dir={output}"]
    return [*command, *(engines.KLEE_POSIX if args else []), bitcode, *args]


def explore(command: list, limit: int, directory: pathlib.Path) -> Exploration | str:
    """Runs an engine once; its last line if it reports no paths."""
    ended = engines.measured(command, directory)
    paths = engines.figure(ended.text, "completed paths")
    if paths is None:
        return engines.last_line(ended.text, "no output")
    partial = engines.figure(ended.text, "partially completed paths") or 0
    return Exploration(ended.wall, ended.cpu, paths, partial, ended.wall >= limit)


def measure(
    engine: str, program: str, arguments: argparse.Namespace, directory: pathlib.Path
) -> Result | str:
    """Runs an engine on a program as often as wanted."""
    bitcode, args = bitcode_of(program, arguments.clang, directory)
    runs: list[Exploration] = []
    for number in range(arguments.runs + (engine == "homi")):
        output = directory / f"{engine}-{program}-{number}"
        command = command_of(engine, arguments, bitcode, args, output)
        one = explore(command, arguments.time, directory)
        shutil.rmtree(output, ignore_errors=True)
        if isinstance(one, str):
            return one
        runs.append(one)
        print(f"{engine:5} {program:9} {one.wall:9.3f} s  {one.paths} paths", file=sys.stderr)
        warm = number > 0 or engine == "klee"
        if one.limit or (one.wall > LONG and warm):
            break
    rest = runs[1:] if engine == "homi" and len(runs) > 1 else runs
    wall, cpu = (statistics.median(getattr(r, time) for r in rest) for time in ("wall", "cpu"))
    return Result(runs[0].wall, wall, cpu, rest[-1].paths, rest[-1].partial, rest[-1].limit)


def row(program: str, homi: Result | str, klee: Result | str | None) -> str:
    """A program's line."""
    if isinstance(homi, str):
        return tables.row([program, f"failed: {homi}", *[""] * 9])
    cells = [program, f"{homi.paths:,}", f"{homi.first:.3f}", f"{homi.wall:.3f}", f"{homi.cpu:.3f}"]
    if not isinstance(klee, Result):
        return tables.row([*cells, f"failed: {klee}" if klee else "-", *["-"] * 5])
    partial = f" + {klee.partial:,} unfinished" if klee.partial else ""
    if homi.limit or klee.limit:
        pairs = [(homi.paths / ours, klee.paths / theirs) for ours, theirs in times(homi, klee)]
        ratios = [f"{ours / max(theirs, 1e-9):.0f} (paths/s)" for ours, theirs in pairs]
        same = "limit"
    else:
        ratios = [f"{theirs / ours:.1f}" for ours, theirs in times(homi, klee)]
        same = "yes" if klee.paths == homi.paths else "NO"
    paths = f"{klee.paths:,}{partial}"
    return tables.row([*cells, paths, f"{klee.wall:.3f}", f"{klee.cpu:.3f}", same, *ratios])


def times(homi: Result, klee: Result) -> list[tuple[float, float]]:
    """Both engines' seconds, of the wall and of the processor."""
    return [(homi.wall, klee.wall), (homi.cpu, klee.cpu)]


def run(arguments: argparse.Namespace) -> int:
    """Measures and prints the table."""
    known = subjects.programs("paths")
    unknown = sorted(set(arguments.programs) - set(known))
    if unknown:
        raise SystemExit(f"no such program: {' '.join(unknown)}; known: {' '.join(known)}")
    studies.check(arguments)
    arguments.homi = engines.needed(arguments.homi)
    klee_there = arguments.klee and not arguments.no_klee
    lines, rows = tables.header(TITLES), []
    with tempfile.TemporaryDirectory() as work:
        for program in arguments.programs or known:
            directory = pathlib.Path(work)
            homi = measure("homi", program, arguments, directory)
            klee = measure("klee", program, arguments, directory) if klee_there else None
            rows.append(row(program, homi, klee))
            print(rows[-1], flush=True)
    facts = [
        f"runs: medians of {arguments.runs}, one where a run takes more than {LONG:.0f} s",
        f"limit: {arguments.time} s; wall and processor time with start-up; seed {arguments.seed}",
    ]
    question = "How long do homi and KLEE take to explore all paths of a program?"
    studies.write(arguments, question, "speed", facts, [*lines, *rows])
    return int(any("| NO |" in text for text in rows))
