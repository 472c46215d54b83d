"""Weights that were learned for a program next to the strategies of concolic testing.

For each program the file WEIGHTS/PROGRAM.json, which `homi learn-search` made, makes a strategy; the
others are dfs, random-branch, cfg, cgs and generational, each with the inputs that the solver finds and
with least inputs. All runs have equal numbers of executions, and then equal work: the mean work of the
learned runs. Seeds are 1 to N; learning must have used another.

  homi learn-search sed.bc --output w/sed.json --samples 100 --max-runs 1000 --seed 99 -- ...
  benchmarks/bench learned-search sed --weights w --runs 1000 --study learned-search

More files of weights are arms of their own: `--also random=w-random` takes w-random/PROGRAM.json.
The table says how far learned weights are above the best of the other strategies, in standard errors
of the difference, and Wilcoxon's p (rank sum, two-sided, normal approximation). Exclusive branches are those that no run of another kind of strategy covered.

What may be bugs of performance are paths of more than N instructions: ten times the median over the
paths of all runs of the program with equal executions, rounded up to a class of
`paths_by_instructions`. The tables have the mean number of a run, and the longest path of all runs.

Needs: the programs (scripts/setup subjects all; scripts/setup subject all); cargo build --release.
"""

import argparse
import collections
import json
import math
import pathlib
import statistics

from homibench import cells, compare, engines, provenance, studies, subjects, tables

OTHERS = ("dfs", "random-branch", "cfg", "cgs", "generational")
# A path is slow if it has so many times the median's instructions.
SLOW = 10
LENGTHS = ("paths_by_instructions", "longest_path")
LEARNED, LEAST = "learned", " least"
# Open branches are not asked for at the end: what a run covers is what its executions covered.
ALWAYS = ["--concolic", "--dump-states-on-halt", "false"]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The command line's words."""
    add = parser.add_argument
    add("programs", nargs="+")
    add("--weights", type=pathlib.Path, required=True, metavar="DIRECTORY")
    add("--also", action="append", default=[], metavar="NAME=DIRECTORY", help="more weights")
    add("--runs", type=int, default=1000, help="executions of a run (1000)")
    add("--seeds", type=int, default=10, help="seeds from 1 on (10)")
    add("--no-work", action="store_true", help="equal executions only")
    add("--words", help="the programs' own words (each program's, and the usual symbolic ones)")
    engines.add_homi(parser)
    studies.add_study(parser)


def arms(arguments: argparse.Namespace, program: str) -> dict[str, list[str]]:
    """The options of each kind of run."""
    learned = {LEARNED: arguments.weights}
    also = (text.split("=", 1) for text in arguments.also)
    learned |= {name: pathlib.Path(directory) for name, directory in also}
    result = {}
    for name, directory in learned.items():
        file = directory / f"{subjects.name_of(program)}.json"
        if file.exists():
            result[name] = ["--strategy", f"param:{file}"]
    for name in OTHERS:
        result[name] = ["--strategy", name]
        result[name + LEAST] = ["--strategy", name, "--least-inputs"]
    return result


class Measured:
    """The runs of a program under one budget."""

    def __init__(
        self, arguments: argparse.Namespace, rows: cells.Cells, program: str, budget: str
    ) -> None:
        self.runs: dict[str, list[dict]] = {}
        wanted = arms(arguments, program)
        arguments.budget = budget
        for seed in range(1, arguments.seeds + 1):
            for name, options in wanted.items():
                key = {
                    "commit": provenance.commit(),
                    "machine": provenance.machine(),
                    "program": subjects.name_of(program),
                    "mode": name,
                    "seed": seed,
                    "budget": budget,
                }
                row = rows.find(**key)
                if not row:
                    found = compare.measured(arguments, program, [*ALWAYS, *options], seed)
                    row = key | {name: found[name] for name in ("branches", "cpu_s", "work")}
                    row |= {"total": found["total"], "sides": found["sides"]}
                    row |= {name: found["concolic"][name] for name in LENGTHS}
                    rows.add(row)
                self.runs.setdefault(name, []).append(row)
            print(f"{program} {budget} seed {seed}", flush=True)

    def numbers(self, name: str, figure: str = "branches") -> list[float]:
        """A figure of each run of an arm."""
        return [row[figure] for row in self.runs[name]]

    def best(self) -> str:
        """The arm of the other strategies that covers most in the mean."""
        others = [name for name in self.runs if name.removesuffix(LEAST) in OTHERS]
        return max(others, key=lambda name: statistics.fmean(self.numbers(name)))

    def exclusive(self, name: str) -> int:
        """Branch sides that only runs of this kind covered."""
        own, others = 0, 0
        for arm, runs in self.runs.items():
            for row in runs:
                if arm.removesuffix(LEAST) == name.removesuffix(LEAST):
                    own |= cells.unpacked(row["sides"])
                else:
                    others |= cells.unpacked(row["sides"])
        return (own & ~others).bit_count()

    def slow_from(self) -> int:
        """The number of instructions from which on a path is slow."""
        classes: collections.Counter[int] = collections.Counter()
        for runs in self.runs.values():
            for row in runs:
                classes.update(lengths(row))
        half, seen = classes.total() / 2, 0
        for least in sorted(classes):
            seen += classes[least]
            if seen >= half:
                return next_class(SLOW * least)
        return 0

    def lines(self, program: str, slow: int) -> list[str]:
        """The rows of the table."""
        lines = []
        for name in self.runs:
            branches = self.numbers(name)
            error = statistics.stdev(branches) / math.sqrt(len(branches))
            cells_of = [subjects.name_of(program), name, f"{statistics.fmean(branches):.1f}", f"{error:.1f}"]
            cells_of += [max(branches), self.exclusive(name)]
            cells_of += [f"{tables.mean(self.numbers(name, 'work')) / 1e6:.1f}"]
            cells_of += [f"{tables.mean(self.numbers(name, 'cpu_s')):.1f}"]
            cells_of += [f"{tables.mean(slow_paths(row, slow) for row in self.runs[name]):.1f}"]
            cells_of += [f"{max(self.numbers(name, 'longest_path')) / 1e3:.0f}"]
            lines.append(tables.row(cells_of))
        return lines

    def judged(self, program: str, name: str) -> str:
        """How weights stand to the best of other strategies."""
        best = self.best()
        ours, theirs = self.numbers(name), self.numbers(best)
        difference = statistics.fmean(ours) - statistics.fmean(theirs)
        error = math.sqrt(sum(statistics.variance(one) / len(one) for one in (ours, theirs)))
        far = f"{difference / error:.1f}" if error else "without spread"
        p = rank_sum(ours, theirs)
        ratio = statistics.fmean(ours) / statistics.fmean(theirs)
        values = [subjects.name_of(program), name, best, f"{ratio:.3f}", f"{difference:+.1f}", far, f"{p:.1g}"]
        return tables.row(values)


def lengths(row: dict) -> dict[int, int]:
    """A run's paths by instructions: by the least number of a class."""
    return {int(least): paths for least, paths in row["paths_by_instructions"].items()}


def slow_paths(row: dict, slow: int) -> int:
    """How many paths of a run are slow."""
    return sum(paths for least, paths in lengths(row).items() if least >= slow)


def next_class(number: int) -> int:
    """The least number of a class of `paths_by_instructions` that is not below a number."""
    rest = max(number.bit_length() - 4, 0)
    return -(-number >> rest) << rest


def rank_sum(ours: list[float], theirs: list[float]) -> float:
    """Two-sided p of Wilcoxon's rank sum test, by the normal approximation with ties."""
    everything = sorted([*ours, *theirs])
    rank = {
        value: (2 * everything.index(value) + everything.count(value) + 1) / 2
        for value in set(everything)
    }
    m, n = len(ours), len(theirs)
    expected = m * (m + n + 1) / 2
    ties = sum(count**3 - count for count in map(everything.count, set(everything)))
    variance = m * n / 12 * ((m + n + 1) - ties / ((m + n) * (m + n - 1)))
    if not variance:
        return 1.0
    z = (sum(rank[value] for value in ours) - expected) / math.sqrt(variance)
    return math.erfc(abs(z) / math.sqrt(2))


def learning(arguments: argparse.Namespace, program: str) -> str:
    """What learning took, from the session's own summary."""
    path = arguments.weights / f"{subjects.name_of(program)}.json.learning" / "summary.json"
    if not path.exists():
        return ""
    summary = json.loads(path.read_text())
    kept = {name: value for name, value in summary.items() if isinstance(value, (int, float, str))}
    return f"- learning on {subjects.name_of(program)}: " + ", ".join(f"{name} {kept[name]}" for name in kept)


def run(arguments: argparse.Namespace) -> int:
    """Measures what is missing and prints the tables."""
    studies.check(arguments)
    arguments.homi = engines.needed(arguments.homi)
    arguments.sets = True
    titles = ["program", "strategy", "branches", "error", "most", "exclusive", "M work", "cpu s"]
    titles += ["slow", "longest k"]
    against = ["program", "weights", "against", "ratio", "more", "errors", "p"]
    place = studies.folder(arguments.study) if arguments.study else arguments.weights
    rows = cells.Cells(place / "cells.jsonl", studies.KEY)
    lines: list[str] = []
    by_kind: dict[str, list[Measured]] = {"executions": [], "work": []}
    for program in arguments.programs:
        runs = Measured(arguments, rows, program, f"--max-time 0 --max-runs {arguments.runs}")
        work = round(tables.mean(runs.numbers(LEARNED, "work")))
        by_kind["executions"].append(runs)
        if not arguments.no_work:
            by_kind["work"].append(Measured(arguments, rows, program, f"--max-time {work}w"))
    measured = zip(arguments.programs, by_kind["executions"], strict=True)
    slow = {program: runs.slow_from() for program, runs in measured}
    for kind, measured in ((kind, measured) for kind, measured in by_kind.items() if measured):
        lines += [f"### At equal {kind}", "", *tables.header(against, numbers=True)]
        for program, runs in zip(arguments.programs, measured, strict=True):
            weights = [name for name in runs.runs if name.removesuffix(LEAST) not in OTHERS]
            lines += [runs.judged(program, name) for name in weights]
        lines += ["", *tables.header(titles, numbers=True)]
        for program, runs in zip(arguments.programs, measured, strict=True):
            lines += runs.lines(program, slow[program])
        lines.append("")
    lines += [
        f"- slow paths of {subjects.name_of(program)}: {slow[program]:,} instructions and more"
        for program in arguments.programs
    ]
    lines += [learning(arguments, program) for program in arguments.programs]
    print("\n".join(lines))
    facts = [
        f"seeds: 1 to {arguments.seeds}; executions: {arguments.runs}",
        f"arguments: {arguments.words or ' '.join(subjects.arguments('usual'))}",
    ]
    question = "Do learned weights cover more than the strategies of concolic testing?"
    studies.write(arguments, question, "coverage", facts, lines)
    return 0
