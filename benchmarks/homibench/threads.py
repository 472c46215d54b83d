"""What threads bring: one run with two threads against two runs with one thread each.

`homi run --threads 2` against two independent processes with one thread each (other seeds, half of
the memory each) in the same time, and the time to exhaustion of small programs with one and two
threads.

The number of paths that end in a given time says little alone: two processes end many paths twice,
the default search spends its first seconds on probes, which are no paths, and what a seed happens
to meet (a family of hard questions, a crowd of short paths) changes a run by half. So there are
runs with a named search, which has no probes, and with the default search; several seeds, whose
sums are compared; instructions beside paths; and runs that write each path's decisions, so that
different paths can be counted. The runs of a comparison follow each other directly and take turns,
so that what else the machine does meets all of them alike.

Needs: scripts/setup subjects; clang-19; cargo build --release.
"""

import argparse
import collections.abc
import hashlib
import json
import pathlib
import shutil
import statistics
import subprocess
import tempfile

from homibench import engines, studies, subjects, tables
from homibench.places import BENCHMARKS, HEADERS

# MiB of one side of a comparison.
MEMORY = 2048
SIDES = ("processes", "threads")
ENDED = ["program", "paths, 2 processes", "paths, 2 threads", "ratio", "per CPU second"]
ENDED += ["instructions", "hard", "branches"]
DIFFERENT = ["program", "paths, 2 processes", "different ones", "2 threads"]
DIFFERENT += ["ratio of different ones", "instructions"]

# Runs of one side: summary and output directory.
Runs = list[tuple[dict, pathlib.Path]]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The command line's words."""
    add = parser.add_argument
    add("programs", nargs="*", help="default: wc, pr and expr")
    add("-t", "--time", type=int, default=20, help="seconds of a timed run (20)")
    add("-r", "--repeat", type=int, default=6, help="pairs of seeds (6)")
    add("--search", default="md2u,cpicnt", help="the named search (md2u,cpicnt)")
    add("--no-default-search", action="store_true", help="leave the default search out")
    add("--only", choices=["timed", "exhausted"], help="one of the two parts")
    add("--seed", type=int, default=1)
    engines.add_homi(parser)
    studies.add_study(parser)


def start(homi: pathlib.Path, output: pathlib.Path, words: list) -> subprocess.Popen:
    """Starts a run in an empty directory; its summary is read by `finish`."""
    here = output.with_name(f"seen-{output.name}")
    here.mkdir(exist_ok=True)
    command = [str(word) for word in (homi, "run", "--quiet", "--output-dir", output, *words)]
    options = {"cwd": here, "stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL}
    return subprocess.Popen(command, stderr=subprocess.PIPE, **options)


def finish(process: subprocess.Popen, output: pathlib.Path) -> dict:
    """A run's summary."""
    _, said = process.communicate()
    if process.returncode != 0:
        raise SystemExit(f"{' '.join(process.args)}: {said.decode(errors='replace')}")
    return engines.summary(output)


class Comparison:
    """Both sides of all comparisons, run after each other."""

    def __init__(self, arguments: argparse.Namespace, work: pathlib.Path) -> None:
        self.arguments = arguments
        self.work = work

    def _side(self, side: str, program: str, seeds: list[int], extra: list[str]) -> Runs:
        alone = side == "processes"
        runs = []
        for number, seed in enumerate(seeds if alone else seeds[:1]):
            output = self.work / f"{program}-{side}-{number}"
            shutil.rmtree(output, ignore_errors=True)
            words = ["--prune", "none", "--max-time", f"{self.arguments.time}s", "--seed", seed]
            words += ["--max-memory", MEMORY // 2 if alone else MEMORY]
            words += ["--threads", 1 if alone else 2, *extra, subjects.needed_bitcode(program)]
            words += ["--", *subjects.arguments("usual")]
            runs.append((start(self.arguments.homi, output, words), output))
        return [(finish(*one), one[1]) for one in runs]

    def timed(self, program: str, repetition: int, extra: list[str]) -> dict[str, Runs]:
        """The two sides of one comparison; which is first changes with the repetition."""
        first = self.arguments.seed + 10 * repetition
        order = SIDES if repetition % 2 == 0 else SIDES[::-1]
        return {side: self._side(side, program, [first, first + 5], extra) for side in order}

    def all_timed(self, program: str, extra: list[str]) -> list[dict[str, Runs]]:
        """One comparison for each pair of seeds."""
        return [self.timed(program, number, extra) for number in range(self.arguments.repeat)]


def ended(summary: dict) -> int:
    """Paths that came to their end."""
    return summary["paths"]["completed"] + summary["paths"]["error"]


def hard(summary: dict) -> float:
    """Seconds in the layers sat and smt."""
    layers = summary["solver"]["layers"]
    return sum(layer["time_s"] for layer in layers if layer["name"] in ("sat", "smt"))


def total(
    pairs: list[dict[str, Runs]], side: str, of: collections.abc.Callable[[dict], float]
) -> float:
    """The sum of a figure over all runs of a side."""
    return sum(of(summary) for pair in pairs for summary, _ in pair[side])


def compare(comparison: Comparison, program: str, extra: list[str]) -> str:
    """A line of a table of ended paths."""
    pairs = comparison.all_timed(program, extra)
    paths = {side: total(pairs, side, ended) for side in SIDES}
    cpu = {side: total(pairs, side, lambda summary: summary["cpu_s"]) for side in SIDES}
    work = {side: total(pairs, side, lambda summary: summary["instructions"]) for side in SIDES}
    each = [
        total([pair], "threads", ended) / max(total([pair], "processes", ended), 1)
        for pair in pairs
    ]
    branches = [
        statistics.median(
            max(run["coverage"]["branches"] for run, _ in pair[side]) for pair in pairs
        )
        for side in SIDES
    ]
    speed = {side: paths[side] / max(cpu[side], 1e-9) for side in SIDES}
    ratio = paths["threads"] / max(paths["processes"], 1)
    cells = [program, f"{paths['processes']:.0f}", f"{paths['threads']:.0f}"]
    cells.append(f"**{ratio:.2f}** ({', '.join(f'{one:.2f}' for one in each)})")
    cells.append(f"{speed['threads'] / max(speed['processes'], 1e-9):.2f}")
    cells.append(f"{work['threads'] / max(work['processes'], 1):.2f}")
    cells.append(" / ".join(f"{total(pairs, side, hard):.1f}" for side in SIDES))
    return tables.row([*cells, " / ".join(f"{count:.0f}" for count in branches)])


def decisions(directory: pathlib.Path) -> set[bytes]:
    """The paths of a run that wrote them."""
    return {hashlib.sha256(path.read_bytes()).digest() for path in directory.glob("*.path")}


def different(comparison: Comparison, program: str) -> str:
    """A line of the table of different paths."""
    extra = ["--profile", "klee", "--search", comparison.arguments.search]
    extra += ["--all-tests", "--write-paths"]
    extra += ["--dump-states-on-halt", "false"]
    found = {side: 0 for side in SIDES}
    pairs = []
    for number in range(comparison.arguments.repeat):
        pair = comparison.timed(program, number, extra)
        for side in SIDES:
            found[side] += len(set().union(*(decisions(output) for _, output in pair[side])))
        pairs.append(pair)
    work = [total(pairs, side, lambda summary: summary["instructions"]) for side in SIDES]
    ratio = found["threads"] / max(found["processes"], 1)
    cells = [program, f"{total(pairs, 'processes', ended):.0f}", found["processes"]]
    return tables.row(
        [*cells, found["threads"], f"**{ratio:.2f}**", f"{work[1] / max(work[0], 1):.2f}"]
    )


def exhaust(comparison: Comparison, name: str, words: list) -> str:
    """A line of the second part; ends if threads change what is explored."""
    times: dict[int, list[float]] = {1: [], 2: []}
    counts, summary = set(), {}
    for repetition in range(3):
        for threads in (1, 2):
            output = comparison.work / f"{name.split()[0]}-{repetition}-{threads}"
            tail = ["--threads", threads, "--profile", "klee", "--search", "dfs"]
            tail += ["--seed", comparison.arguments.seed]
            summary = finish(start(comparison.arguments.homi, output, [*tail, *words]), output)
            if not summary["stop_reason"].startswith("exhausted"):
                raise SystemExit(f"{name}: {summary['stop_reason']}")
            times[threads].append(summary["wall_s"])
            paths = json.dumps(summary["paths"], sort_keys=True)
            counts.add(f"{paths} {summary['instructions']} instructions")
    if len(counts) != 1:
        raise SystemExit(f"{name}: other paths with other numbers of threads: {counts}")
    one, two = statistics.median(times[1]), statistics.median(times[2])
    return tables.row([name, ended(summary), f"{one:.2f}", f"{two:.2f}", f"{one / two:.2f}"])


def timed_part(comparison: Comparison, programs: list[str]) -> list[str]:
    """The tables of timed runs."""
    arguments = comparison.arguments
    named = ["--profile", "klee", "--search", arguments.search]
    searches = [(f"`{' '.join(named)}`", named)]
    if not arguments.no_default_search:
        searches.append(("Default search", []))
    lines = []
    for name, extra in searches:
        lines += [f"{name}, paths that ended:", "", *tables.header(ENDED, numbers=True)]
        lines += [*(compare(comparison, program, extra) for program in programs), ""]
    words = f"`--search {arguments.search} --all-tests --write-paths`"
    lines += [f"{words}, so that different paths can be counted:", ""]
    lines += tables.header(DIFFERENT, numbers=True)
    return [*lines, *(different(comparison, program) for program in programs), ""]


def exhausted_part(comparison: Comparison) -> list[str]:
    """The table of programs that are followed to their end."""
    lines = [
        "Time to exhaustion in seconds, dfs, medians of 3; the same paths and instructions:",
        "",
    ]
    lines += tables.header(["program", "paths", "1 thread", "2 threads", "speed-up"], numbers=True)
    for name in ("matcher", "sort"):
        bitcode = comparison.work / f"{name}.bc"
        source = BENCHMARKS / f"paths-programs/{name}.c"
        flags = ["-c", "-emit-llvm", "-g", "-O1", f"-I{HEADERS}"]
        subprocess.run(["clang-19", *flags, source, "-o", bitcode], check=True)
        lines.append(exhaust(comparison, name, [bitcode]))
    small = subjects.arguments("small")
    words = [subjects.needed_bitcode("echo"), "--", *small]
    return [*lines, exhaust(comparison, f"echo {' '.join(small)}", words)]


def run(arguments: argparse.Namespace) -> int:
    """Measures and prints the tables."""
    studies.check(arguments)
    arguments.homi = engines.needed(arguments.homi)
    programs = arguments.programs or subjects.programs("threads")
    lines = []
    with tempfile.TemporaryDirectory() as directory:
        comparison = Comparison(arguments, pathlib.Path(directory))
        if arguments.only != "exhausted":
            lines += timed_part(comparison, programs)
        if arguments.only != "timed":
            lines += exhausted_part(comparison)
    print("\n".join(lines))
    facts = [
        f"runs: {arguments.repeat} pairs of seeds 10 apart from {arguments.seed} on, the seeds of "
        f"two processes 5 apart; figures are sums over them, ratios of single pairs in brackets",
        f"budget: {arguments.time} s; {MEMORY // 2} MiB a process, {MEMORY} MiB for two threads",
        f"arguments: {' '.join(subjects.arguments('usual'))}",
        "hard: seconds in the layers sat and smt; branches: medians, the better of two processes",
    ]
    question = "Do two threads end as many paths as two processes?"
    studies.write(arguments, question, "speed", facts, lines)
    return 0
