"""Homi's campaigns against plain search: gcov branches and numbers of states.

As in sections 4.2 to 4.4 of the paper (FSE 2020). Stage 1 finds for each program the best search
from one run without pruning of each candidate. Stage 2 runs each mode (none; homi; random, the
paper's RandomPrune; divide, its [Divide]) with that search for each seed. Branches are those that
`homi replay --gcov` counts on the program built by `gcc --coverage`, in all its files.

  benchmarks/bench campaign --study pruning-ten-minutes --budget 10min --search default
  benchmarks/bench campaign --study pruning-hour --budget 60min --modes none,homi grep ptx
  benchmarks/bench campaign --study 2026-01-02-pruning-hour --table-only

Resumable by cell: what the study's cells.jsonl has of this commit, or --commit, is not run again,
so the same command goes on after an interruption, also on another machine. Without --study cells
are kept below .deps.

Needs: scripts/setup subjects; scripts/setup subject grep gawk trueprint; cargo build --release.
"""

import argparse
import concurrent.futures
import dataclasses
import json
import pathlib
import shutil
import subprocess
import tempfile
import threading

from homibench import engines, provenance, replay, studies, subjects, tables
from homibench.campaign_tables import Plan, report
from homibench.cells import Cells
from homibench.places import ROOT

# KLEE's nine heuristics under homi's names; `rp` is the "Depth" of the paper, `roundrobin` KLEE's
# default.
CANDIDATES = "md2u covnew cpicnt icnt qc rp random-path random-state roundrobin".split()
MODES = {
    "none": ["--prune", "none"],
    "homi": ["--prune", "homi"],
    "random": ["--prune", "random"],
    "divide": ["--prune", "none", "--restart", "divide"],
    "guard": ["--prune", "homi", "--guard"],
    "known": ["--prune", "homi", "--search-coverage", "campaign"],
    "both": ["--prune", "homi", "--guard", "--search-coverage", "campaign"],
    "seeds": ["--prune", "homi", "--seed-runs"],
}
KEY = (*studies.KEY, "search", "options")
PRINTING = threading.Lock()


@dataclasses.dataclass(frozen=True)
class Run:
    """One run that a cell is about; the budget is in seconds."""

    program: str
    search: str
    mode: str
    seed: str
    budget: float


def seconds(text: str) -> float:
    """A time such as 60s, 10min or 1h."""
    for unit, factor in (("min", 60), ("h", 3600), ("s", 1), ("", 1)):
        number = text.removesuffix(unit)
        if text.endswith(unit) and number.replace(".", "", 1).isdigit():
            return float(number) * factor
    raise argparse.ArgumentTypeError(f"`{text}` is no time such as 60s, 10min or 1h")


def words(text: str) -> list[str]:
    """The words of a list."""
    return text.replace(",", " ").split()


def modes(text: str) -> list[str]:
    """The modes of a list."""
    unknown = [mode for mode in words(text) if mode not in MODES]
    if unknown:
        raise argparse.ArgumentTypeError(f"unknown: {' '.join(unknown)}; known: {' '.join(MODES)}")
    return words(text)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The command line's words."""
    add = parser.add_argument
    add("programs", nargs="*", help="default: the paper's; those not built are left out")
    add("--budget", type=seconds, default=600.0, help="time of each run of stage 2 (10min)")
    add("--pick-budget", type=seconds, help="time of each run of stage 1 (--budget)")
    add(
        "--candidates",
        type=words,
        default=CANDIDATES,
        help="stage 1's; md2u+cpicnt are two in turns",
    )
    add("--search", help="for every program, without stage 1; `default` names none")
    add("--profile", default="paper", help="what goes with a search that is named (default paper)")
    add("--modes", type=modes, default=list(MODES)[:4], help=f"of {', '.join(MODES)}")
    add("--seeds", type=words, default=["1", "2", "3"], help="default 1,2,3")
    add("--jobs", type=int, default=1, help="cells at a time (default 1)")
    add("--memory", default="2GiB", help="--max-memory of each run (default 2GiB)")
    add("--clock", default="processor", choices=["processor", "wall"], help="what times count")
    add("--option", action="append", default=[], help="a further option for every run; repeatable")
    add(
        "--commit", help="what --homi was built from (default: this checkout); `any`: tables of all"
    )
    add("--clang", default="19", help="version of the bitcode (default 19)")
    add("--keep-runs", action="store_true", help="keep the output directories of the runs")
    add("--table-only", action="store_true", help="run nothing")
    engines.add_homi(parser)
    studies.add_study(parser)


def states_mean(directory: pathlib.Path) -> float:
    """Mean number of states over the seconds, a campaign's first run left out (paper, Figure 2)."""
    lines = (directory / "learning.jsonl").read_text().splitlines()
    runs = [json.loads(line) for line in lines]
    counts = [run["states_each_second"] for run in (runs[1:] or runs)]
    return tables.mean(states for run in counts for states in run)


def options_of(arguments: argparse.Namespace) -> str:
    """What of a run's words is no part of the key otherwise."""
    common = ["--max-memory", arguments.memory, "--clock", arguments.clock]
    profile = [] if arguments.profile == "paper" else ["--profile", arguments.profile]
    return " ".join([*common, f"clang-{arguments.clang}", *profile, *arguments.option])


def known(arguments: argparse.Namespace, run: Run) -> dict | None:
    """The run's cell, of whichever machine."""
    names = {**dataclasses.asdict(run), "options": options_of(arguments)}
    if arguments.commit != "any":
        names["commit"] = arguments.commit
    return arguments.cells.find(**names)


def explore(arguments: argparse.Namespace, run: Run, directory: pathlib.Path) -> str | None:
    """Runs homi; says how it failed."""
    bitcode = subjects.bitcode(run.program, arguments.clang)
    named = ["--profile", arguments.profile, "--search", run.search]
    named = [] if run.search == "default" else named
    command = [arguments.homi, "run", bitcode, "--output-dir", directory]
    command += ["--max-time", f"{run.budget:g}s", "--seed", run.seed, "--quiet", *named]
    command += ["--max-memory", arguments.memory, "--clock", arguments.clock, "--threads", "1"]
    command += [*MODES[run.mode], *arguments.option, "--", *subjects.arguments("usual")]
    with tempfile.TemporaryDirectory() as work:
        done = subprocess.run(
            [str(word) for word in command],
            cwd=work,
            capture_output=True,
            text=True,
            errors="replace",
            check=False,
            stdin=subprocess.DEVNULL,
        )
    return engines.last_line(done.stderr, f"status {done.returncode}") if done.returncode else None


def figures(arguments: argparse.Namespace, run: Run, directory: pathlib.Path) -> dict | str:
    """The row of a run that ended, or what failed."""
    native = subjects.counted(run.program)
    with tempfile.TemporaryDirectory() as work:
        report, lcov = pathlib.Path(work) / "replay.json", pathlib.Path(work) / "lcov"
        failure = replay.count(arguments.homi, native, directory, report, lcov)
        if failure:
            return f"replay: {failure}"
        replayed, branches = json.loads(report.read_text()), replay.covered(lcov)
    summary = engines.summary(directory)
    bugs = [f"{bug['kind']} {bug['location']}" for bug in summary["errors"]]
    same = ("tests", "states_peak", "stop_reason", "wall_s", "cpu_s", "instructions")
    return {
        "commit": arguments.commit,
        "machine": provenance.machine(),
        **dataclasses.asdict(run),
        "options": options_of(arguments),
        "date": f"{provenance.now():%Y-%m-%d %H:%M}",
        "branches": replayed["branches_covered"],
        "branches_total": replayed["branches_total"],
        "covered": branches,
        "own_branches": summary["coverage"]["branches"],
        "states_mean": states_mean(directory),
        **{name: summary[name] for name in same},
        "pruned": summary["paths"]["pruned"],
        "bugs": bugs,
        "campaign": summary.get("campaign"),
    }


def perform(arguments: argparse.Namespace, run: Run) -> None:
    """Runs a cell and keeps its row, unless it failed."""
    name = f"{run.program}-{run.search}-{run.mode}-{run.seed}-{run.budget:g}s"
    directory = arguments.work / "runs" / name
    shutil.rmtree(directory, ignore_errors=True)
    directory.parent.mkdir(parents=True, exist_ok=True)
    failure = explore(arguments, run, directory)
    row = failure or figures(arguments, run, directory)
    if not isinstance(row, str):
        arguments.cells.add(row)
        row = f"{row['branches']} branches, {row['states_mean']:.0f} states, {row['tests']} tests"
    if not arguments.keep_runs:
        shutil.rmtree(directory, ignore_errors=True)
    with PRINTING:
        print(f"{name}: {row}", flush=True)


def perform_all(arguments: argparse.Namespace, runs: list[Run]) -> None:
    """Runs the cells that are not there yet."""
    missing = [run for run in dict.fromkeys(runs) if known(arguments, run) is None]
    if arguments.table_only or not missing:
        return
    hours = sum(run.budget for run in missing) / arguments.jobs / 3600
    print(f"{len(missing)} cells to run, about {hours:.1f} h", flush=True)
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        list(pool.map(lambda run: perform(arguments, run), missing))


def prepare(arguments: argparse.Namespace) -> list[str]:
    """Checks and completes the arguments; the programs that are built."""
    if not arguments.table_only:
        studies.check(arguments)
        arguments.homi = engines.needed(arguments.homi)
    arguments.commit = arguments.commit or provenance.commit()
    if arguments.commit == "any" and not arguments.table_only:
        raise SystemExit("--commit any is for --table-only")
    arguments.candidates = [search.replace("+", ",") for search in arguments.candidates]
    arguments.pick_budget = arguments.pick_budget or arguments.budget
    arguments.work = ROOT / ".deps/campaign-benchmark"
    place = studies.folder(arguments.study) if arguments.study else arguments.work
    arguments.cells = Cells(place / "cells.jsonl", KEY)
    wanted = arguments.programs or subjects.programs("campaign")
    if arguments.table_only:
        return wanted
    clang = arguments.clang
    built = [one for one in wanted if subjects.bitcode(one, clang) and subjects.counted(one)]
    absent = [program for program in wanted if program not in built]
    if absent:
        print(f"left out, not built: {', '.join(absent)}; {subjects.REMEDY}", flush=True)
    return built


def run(arguments: argparse.Namespace) -> int:
    """Runs both stages and prints the table."""
    programs = prepare(arguments)
    plan = Plan(arguments, lambda *cell: known(arguments, Run(*cell)))
    if arguments.search:
        searches = {program: arguments.search for program in programs}
    else:
        runs = [Run(*cell) for cell in plan.stage_1(programs)]
        perform_all(arguments, runs)
        searches = {program: plan.best_search(program) for program in programs}
    perform_all(arguments, [Run(*cell) for cell in plan.stage_2(searches)])
    facts, lines = report(plan, programs, searches)
    print("\n".join(lines), flush=True)
    if arguments.table_only:
        return 0
    question = f"What do short runs with pruning cover and hold in {arguments.budget:g} s?"
    studies.write(arguments, question, "pruning", facts, lines)
    return 0
