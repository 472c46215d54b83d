"""Ways to explore side by side: the same programs, seeds and budgets with different options.

An arm is a name and homi's options for it, `--arm NAME=OPTIONS`. Arms take turns, so that what else
the machine does meets all of them alike. Budgets are in work or in executions, so that the machine
and its load change nothing but the time; each run is a row of the study's cells, and one that is
there is not made again.

  benchmarks/bench compare --arm eager= --arm "lazy=--fork lazy" --study lazy-forks
  benchmarks/bench compare --arm dfs="--concolic --strategy dfs" --budget "--max-runs 1000"

Needs: the programs (scripts/setup subjects all; scripts/setup subject all); cargo build --release.
"""

import argparse
import concurrent.futures
import json
import pathlib
import shlex
import tempfile

from homibench import cells, engines, provenance, studies, subjects, tables

KEY = (*studies.KEY, "arm")
# The programs that are far from covered when a run of a minute ends.
WITH_ROOM = ["gawk", "grep", "ptx", "trueprint", "vdir"]


def arm(text: str) -> tuple[str, list[str]]:
    """`NAME=OPTIONS`."""
    name, mark, options = text.partition("=")
    if not mark or not name:
        raise argparse.ArgumentTypeError(f"`{text}` is not NAME=OPTIONS")
    return name, shlex.split(options)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The command line's words."""
    add = parser.add_argument
    add("programs", nargs="*", help=f"default: {', '.join(WITH_ROOM)}")
    add("--arm", type=arm, action="append", required=True, metavar="NAME=OPTIONS")
    add("--budget", default="--max-time 100000000w", help="options (--max-time 100000000w)")
    add("--seeds", type=int, default=3, help="seeds from 1 on (3)")
    add("--jobs", type=int, default=1, help="runs at a time (1)")
    add("--words", help="the programs' own words (each program's, and the usual symbolic ones)")
    add("--question", default="Which of these ways covers more?")
    add("--topic", default="coverage", help="what the study is about (coverage)")
    engines.add_homi(parser)
    studies.add_study(parser)


def words(arguments: argparse.Namespace, program: str) -> list[str]:
    """What the program gets."""
    if arguments.words is not None:
        return shlex.split(arguments.words)
    return subjects.words(program)


def measured(
    arguments: argparse.Namespace, program: str, options: list[str], seed: int
) -> dict[str, object]:
    """The figures of one run."""
    with tempfile.TemporaryDirectory() as name:
        directory = pathlib.Path(name)
        output = directory / "out"
        command = [arguments.homi, "run", "--quiet", "--output-dir", output, "--seed", seed]
        command += [*shlex.split(arguments.budget), *options]
        command += [*subjects.options(program), subjects.needed_bitcode(program)]
        command += ["--", *words(arguments, program)]
        done = engines.measured(command, directory)
        if done.status != 0:
            raise SystemExit(f"{shlex.join(map(str, command))}: {done.text}")
        summary = engines.summary(output)
        sides = covered(output) if getattr(arguments, "sets", False) else None
    solver = summary["solver"]
    row = {
        "branches": summary["coverage"]["branches"],
        "total": summary["coverage"]["branches_total"],
        "tests": summary["tests"],
        "instructions": summary["instructions"],
        "questions": solver["questions"],
        "solver_s": round(solver["time_s"], 2),
        "cpu_s": round(done.cpu, 2),
        "bugs": len(summary["errors"]),
        "reason": summary["stop_reason"],
    }
    for name in ("pending", "concolic", "work"):
        if name in summary:
            row[name] = summary[name]
    if sides is not None:
        row["sides"] = cells.packed(sides)
    return row


def covered(output: pathlib.Path) -> int:
    """The branch sides that a run's tests cover, a bit for each."""
    sides = 0
    for line in (output / "coverage.jsonl").read_text().splitlines():
        for branch, side in json.loads(line)["sides"]:
            sides |= 1 << (2 * branch + side)
    return sides


def measure_all(arguments: argparse.Namespace, rows: cells.Cells, programs: list[str]) -> None:
    """Makes the rows that are missing; arms take turns within each program and seed."""
    wanted = [
        (program, seed, name, options)
        for seed in range(1, arguments.seeds + 1)
        for program in programs
        for name, options in arguments.arm
    ]

    def one(program: str, seed: int, name: str, options: list[str]) -> None:
        mode = shlex.join(options) or "defaults"
        key = {
            "commit": provenance.commit(),
            "machine": provenance.machine(),
            "program": subjects.name_of(program),
            "mode": mode,
            "seed": seed,
            "budget": arguments.budget,
            "arm": name,
        }
        if rows.find(**key):
            return
        row = measured(arguments, program, options, seed)
        rows.add(key | row)
        print(f"{program} {name} seed {seed}: {row['branches']} branches, {row['cpu_s']} s")

    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        for done in [pool.submit(one, *item) for item in wanted]:
            done.result()


class Table:
    """Means over the seeds, for each program and arm."""

    def __init__(self, arguments: argparse.Namespace, rows: cells.Cells) -> None:
        self.arms = [name for name, _ in arguments.arm]
        self._rows = [
            row
            for row in rows.rows
            if row["budget"] == arguments.budget and row["commit"] == provenance.commit()
        ]

    def _of(self, program: str, name: str) -> list[dict]:
        return [row for row in self._rows if row["program"] == program and row["arm"] == name]

    def mean(self, program: str, name: str, figure: str) -> float:
        """The mean of a figure."""
        return tables.mean([row[figure] for row in self._of(program, name)])

    def branches(self, programs: list[str]) -> list[str]:
        """Branches of each arm, and its ratio to the first one."""
        first, *others = self.arms
        head = ["program", "of", first, *(text for name in others for text in (name, "ratio"))]
        lines = tables.header(head, numbers=True)
        ratios: dict[str, list[float]] = {name: [] for name in others}
        for program in programs:
            base = self.mean(program, first, "branches")
            line = [program, self._of(program, first)[0]["total"], f"{base:.1f}"]
            for name in others:
                mean = self.mean(program, name, "branches")
                ratios[name].append(mean / max(base, 1))
                line += [f"{mean:.1f}", f"{ratios[name][-1]:.3f}"]
            lines.append(tables.row(line))
        line = ["geometric mean", "", ""]
        for name in others:
            line += ["", f"**{tables.geometric_mean(ratios[name]):.3f}**"]
        return [*lines, tables.row(line)]

    def costs(self, programs: list[str]) -> list[str]:
        """What each arm's runs took."""
        figures = ["instructions", "questions", "solver_s", "cpu_s", "tests"]
        lines = tables.header(["program", "arm", *figures, "executions"], numbers=True)
        for program in programs:
            for name in self.arms:
                means = [f"{self.mean(program, name, figure):,.1f}" for figure in figures]
                runs = [row["concolic"] for row in self._of(program, name) if "concolic" in row]
                executed = tables.mean([run["executions"] for run in runs]) if runs else None
                last = "" if executed is None else f"{executed:,.0f}"
                lines.append(tables.row([program, name, *means, last]))
        return lines


def run(arguments: argparse.Namespace) -> int:
    """Measures what is missing and prints the tables."""
    studies.check(arguments)
    arguments.homi = engines.needed(arguments.homi)
    programs = arguments.programs or WITH_ROOM
    with tempfile.TemporaryDirectory() as name:
        place = studies.folder(arguments.study) if arguments.study else pathlib.Path(name)
        rows = cells.Cells(place / "cells.jsonl", KEY)
        measure_all(arguments, rows, programs)
        table = Table(arguments, rows)
        names = [subjects.name_of(program) for program in programs]
        lines = [*table.branches(names), "", *table.costs(names)]
    print("\n".join(lines))
    facts = [
        f"budget of a run: `{arguments.budget}`; means of seeds 1 to {arguments.seeds}",
        f"arguments: {arguments.words or ' '.join(subjects.arguments('usual'))}",
        *(f"{name}: `{shlex.join(options) or 'defaults'}`" for name, options in arguments.arm),
    ]
    studies.write(arguments, arguments.question, arguments.topic, facts, lines)
    return 0
