"""C programs compiled in many ways, natively and in homi: they must print the same.

Each program of the named directories or files is compiled once for each compiler and each set of
flags, by the same compiler for both runs, since C leaves much open. What cannot be compiled
natively so is counted as not compiled.

  benchmarks/bench matrix                                tests/data/whole, flags and clangs below
  benchmarks/bench matrix -j 2 --study matrix PATH...    others, as a study
  benchmarks/bench matrix --flags=-O2 --clang 19 a.c     one cell

Status 1 if anything differs. Needs: cargo build --release; scripts/setup runtime.
"""

import argparse
import collections
import collections.abc
import concurrent.futures
import pathlib
import shutil
import tempfile

from homibench import engines, native, studies, tables
from homibench.native import Outcome
from homibench.places import TEST_DATA

LEVELS = ["-O0", "-O1", "-O2", "-O3"]
# Flags of distributions, test builds and optimized builds.
SPECIAL = [
    "-O2 -mavx2",
    "-O3 -march=haswell -ffast-math",
    "-O2 -march=x86-64-v4 -mprefer-vector-width=512",
    "-O1 -fsanitize=undefined -fsanitize-trap=undefined",
    "-O2 -ftrapv",
    "-O2 -fwrapv",
    "-O2 -D_FORTIFY_SOURCE=3",
    "-Os",
]
ALWAYS = ["-w", "-D_GNU_SOURCE"]
LIBRARIES = ["-lm", "-lpthread", "-lutil", "-lresolv", "-latomic"]
# CPU extensions that native runs need, by flag.
NEEDED = {
    "-mavx2": {"avx2"},
    "-march=haswell": {"avx2", "bmi2", "fma"},
    "-march=x86-64-v4": {"avx512f", "avx512vl", "avx512bw", "avx512dq"},
}
MOST_LISTED = 6


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the command-line arguments."""
    add = parser.add_argument
    add("paths", nargs="*", type=pathlib.Path, help="C files and directories of them")
    add("--clang", action="append", help="a version (default 14, 16 and 19, as far as installed)")
    add("--flags", action="append", help="a set of flags (default: all)")
    add("-j", "--jobs", type=int, default=1)
    add("-v", "--verbose", action="store_true", help="show how outputs differ")
    engines.add_homi(parser)
    studies.add_study(parser)


def sources(paths: list[pathlib.Path]) -> collections.abc.Iterator[pathlib.Path]:
    """The wanted programs."""
    for path in paths or [TEST_DATA / "whole"]:
        yield from sorted(path.glob("*.c")) if path.is_dir() else [path]


def processor_has(flags: list[str]) -> bool:
    """Whether native runs of code for that processor are possible here."""
    known = set(pathlib.Path("/proc/cpuinfo").read_text().split())
    return all(needs <= known for flag, needs in NEEDED.items() if flag in flags)


def in_homi(homi: pathlib.Path, bitcode: pathlib.Path, scratch: pathlib.Path) -> Outcome:
    """What the program does in homi; the status is a text that no native run has if it failed."""
    out = scratch / "out"
    command = [homi, "run", "--quiet", "--input-layouts", "off", "--max-time", "300s", "--output-dir", out]
    command += ["--env-file", native.environment_file(scratch), bitcode]
    done = native.quietly(command, cwd=native.starting_directory(scratch / "homi"))
    summary = engines.summary(out)
    if summary is None:
        return Outcome(b"", b"", "failed: " + done.stderr.decode(errors="replace"))
    streams = [
        (out / name).read_bytes() if (out / name).exists() else b""
        for name in ("stdout.txt", "stderr.txt")
    ]
    return Outcome(*streams, status_of(summary, out))


def status_of(summary: dict, out: pathlib.Path) -> str:
    """The exit status of the one path, or `signal` if it aborted or trapped."""
    statuses = list((summary.get("exit_statuses") or {}).keys())
    if len(statuses) == 1:
        return statuses[0]
    reports = [path.read_text(errors="replace") for path in sorted(out.glob("*.err"))]
    kinds = [text.partition("\n")[0] for text in reports]
    if any("abort" in kind or "trap" in kind for kind in kinds):
        return "signal"
    return f"errors {summary['errors']} unsupported {summary['unsupported']} {kinds}"


def difference(left: Outcome, right: Outcome) -> list[str]:
    """The first lines that differ."""
    lines = []
    streams = [("stdout", left.stdout, right.stdout), ("stderr", left.stderr, right.stderr)]
    if left.status != right.status:
        lines.append(f"  status native {left.status} homi {right.status}")
    for name, a, b in streams:
        if left.status == right.status == "signal":
            # The content of a stream's buffer is lost, and the two libraries' buffers differ in size.
            a, b = a[: min(len(a), len(b))], b[: min(len(a), len(b))]
        one, two = (text.decode(errors="replace").splitlines() for text in (a, b))
        for number in range(max(len(one), len(two))):
            ours, theirs = (text[number] if number < len(text) else None for text in (two, one))
            if ours != theirs:
                lines.append(f"  {name}:{number + 1} native {theirs!r} homi {ours!r}")
    return lines[:MOST_LISTED]


def judge(
    homi: pathlib.Path, source: pathlib.Path, version: str, flags: str
) -> tuple[str, list[str]]:
    """(outcome, lines that say how it differs)"""
    with tempfile.TemporaryDirectory() as name:
        scratch = pathlib.Path(name)
        command = [f"clang-{version}", *ALWAYS, *flags.split(), source.resolve()]
        compiled = native.quietly([*command, "-o", scratch / "exe", *LIBRARIES])
        if compiled.returncode != 0:
            return "not compiled", [compiled.stderr.decode()[:600]]
        if not processor_has(flags.split()):
            return "other processor", []
        native.quietly([*command, "-g", "-emit-llvm", "-c", "-o", scratch / "program.bc"])
        here = native.starting_directory(scratch / "native")
        expected = native.run(scratch / "exe", ["program"], here, 60)
        if expected is None:
            return "native time-out", []
        lines = difference(expected, in_homi(homi, scratch / "program.bc", scratch))
        return ("different", lines) if lines else ("same", [])


def table(arguments: argparse.Namespace, counts: collections.Counter, bad: list[str]) -> list[str]:
    """Outcomes by compiler and flags, and what was not the same."""
    others = sorted({key[2] for key in counts} - {"same", "different"})
    outcomes = ["same", "different", *others]
    lines = tables.header(["clang", "flags", *outcomes])
    for flags in arguments.flags:
        for version in arguments.clang:
            row = [counts[version, flags, outcome] for outcome in outcomes]
            lines.append(tables.row([version, f"`{flags}`", *row]))
    total = [sum(n for key, n in counts.items() if key[2] == outcome) for outcome in outcomes]
    return [*lines, tables.row(["all", "", *total]), "", *(f"- {line}" for line in sorted(bad))]


def run(arguments: argparse.Namespace) -> int:
    """Judges all cells and prints the table."""
    studies.check(arguments)
    homi = engines.needed(arguments.homi)
    there = [version for version in ("14", "16", "19") if shutil.which(f"clang-{version}")]
    arguments.clang = arguments.clang or there
    arguments.flags = arguments.flags or LEVELS + SPECIAL
    programs = list(sources(arguments.paths))
    ways = [(version, flags) for flags in arguments.flags for version in arguments.clang]
    cells = [(source, *way) for source in programs for way in ways]
    counts: collections.Counter = collections.Counter()
    bad = []
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        results = pool.map(lambda cell: judge(homi, *cell), cells)
        for (source, version, flags), (outcome, lines) in zip(cells, results):
            counts[version, flags, outcome] += 1
            if outcome != "same":
                bad.append(f"{source.stem}, clang-{version} {flags}: {outcome}")
                if arguments.verbose or outcome == "different":
                    print("\n".join([bad[-1], *lines]), flush=True)
    lines = table(arguments, counts, bad)
    print("\n".join(lines))
    facts = [f"programs: {len(programs)}, {len(cells)} cells"]
    question = "Do C programs behave the same in homi and natively at every optimization level?"
    studies.write(arguments, question, "correctness", facts, lines)
    return int(any(outcome == "different" for _, _, outcome in counts))
