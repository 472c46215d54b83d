"""Random C programs whose paths meet: homi loses no bug and no branch by skipping paths.

Program N is `subsumption_programs`' with seed N. Natively it runs on all of its inputs in one
process; homi follows its paths with --subsume in two configurations drawn by lot, and in `plain`
without it. The failing places must be the same, each test must end natively as homi says, and the
tests must take the same sides of branches. One line per program and configuration goes to a file,
from which a later call goes on.

  benchmarks/bench subsumption -n 50                        the first fifty
  benchmarks/bench subsumption -n 2000 --study subsumption  2,000, as a study
  benchmarks/bench subsumption --first 7 -n 1 --only wp     one program, configurations with wp
  benchmarks/bench subsumption -n 20 --options=             the generator's own check

At -O1 a branch of the source may be none, so there native sides do not count; homi's own number of
covered branches must be that of `plain` in all programs.

Status 1 if a bug or a side was lost, if homi said of a test what is not so, or if more than 2 %
were under-approximated or out of time. Needs: clang-19; cargo build --release; scripts/setup runtime.
"""

import argparse
import collections
import concurrent.futures
import itertools
import json
import pathlib
import random
import shlex
import subprocess
import tempfile
import threading

from homibench import engines, studies, subsumption_native, subsumption_programs, tables
from homibench.places import ROOT

SEARCHES = {name: ["--search", name] for name in ("dfs", "bfs", "random-state", "md2u")}
SEARCHES |= {"default": []}
SEARCHES |= {name: ["--concolic", "--strategy", name] for name in ("cfg", "random-branch")}
FORMS, GREEDY = ("core", "wp"), ("greedy", "patient")
PLAIN, EVERY_TEST = "plain", ["--all-tests", "--emit-all-errors"]
CONFIGURATIONS = ["/".join(parts) for parts in itertools.product(SEARCHES, FORMS, GREEDY)]
OUTCOMES = ["same", "underapproximations", "late", "lost-bug", "lost-side", "wrong-bug", "failed"]
BAD = ("lost-bug", "lost-side", "wrong-bug", "failed")
TITLES = ["configuration", "runs", *OUTCOMES, "subsumed", "instructions by plain's"]
# Largest ratio of runs that are under-approximations or late.
MOST_CUT = 0.02


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the command-line arguments."""
    add = parser.add_argument
    add("-n", "--count", type=int, default=50, help="programs (default 50)")
    add("--first", type=int, default=1, help="seed of the first program (default 1)")
    add("--all-configurations", action="store_true", help="not only two by lot")
    add("--only", action="append", default=[], metavar="NAME", help="configurations with this part")
    add("--clang", default="clang-19", help="default clang-19")
    add("--limit", type=int, default=60, help="processor seconds of a run (default 60)")
    add("--jobs", type=int, default=1)
    log = ROOT / "target/subsumption.jsonl"
    add("--log", type=pathlib.Path, default=log, help="default target/subsumption.jsonl")
    add("--fresh", action="store_true", help="forget the outcomes that the log has")
    add("--options", default="--subsume", help="options of homi run (default --subsume)")
    add("--keep", type=pathlib.Path, help="copy what is not the same here")
    engines.add_homi(parser)
    studies.add_study(parser)


def configurations(arguments: argparse.Namespace, seed: int) -> list[str]:
    """Those of a program; the plain one is first."""
    wanted = [one for one in CONFIGURATIONS if set(arguments.only) <= set(one.split("/"))]
    if not arguments.all_configurations:
        wanted = random.Random(seed + 2).sample(wanted, min(2, len(wanted)))
    return [PLAIN, *wanted]


def args(arguments: argparse.Namespace, configuration: str) -> list[str]:
    """A configuration's options."""
    if configuration == PLAIN:
        return [*EVERY_TEST, "--search", "dfs"]
    search, form, greedy = configuration.split("/")
    options = [*SEARCHES[search], *shlex.split(arguments.options)]
    if "--subsume" not in options:
        return [*options, *EVERY_TEST]
    greedy_words = ["--tuning greedy-confirmation", "on" if greedy == "greedy" else "off"]
    return [*options, "--interpolant", form, *greedy_words]


def explored(
    arguments: argparse.Namespace, configuration: str, bitcode: pathlib.Path, out: pathlib.Path
) -> tuple[dict | None, str]:
    """The summary of a run over all paths, and what homi said."""
    command = [arguments.homi, "run", bitcode, "--quiet", *args(arguments, configuration)]
    command += ["--clock", "cpu", "--max-time", f"{arguments.limit}s", "--output-dir", out]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    error = " ".join(done.stderr.split())
    return engines.summary(out), f"status {done.returncode}: {error[:400]}"


def figures(summary: dict) -> dict:
    """What a line says of a run."""
    names = ("instructions", "tests", "cpu_s", "underapproximations", "subsumption")
    row = {name: summary[name] for name in names if name in summary}
    return row | {"paths": sum(summary["paths"].values()), "work": round(summary.get("work", 0))}


def judged(
    summary: dict,
    program: subsumption_programs.Program,
    native: subsumption_native.Outcomes,
    out: pathlib.Path,
    plain: dict | None,
) -> dict:
    """What homi's answers in one run are worth; `plain` is the line of the run to compare with."""
    found: set[int] = set()
    sides, wrong = 0, []
    for test in sorted(out.glob("*.ktest")):
        at = native.input_of(test)
        sides |= native.sides[at]
        subsumes = "subsumption" in summary
        here = native.places[at]
        wrong.append(subsumption_native.wrong_test(test, here, program.places, found, subsumes))
    wrong = [one for one in wrong if one]
    reason = summary["stop_reason"]
    branches = summary["coverage"]["branches"]
    result = figures(summary) | {"branches": branches}
    lost = sorted(native.all_places() - found)
    if wrong:
        return result | {"outcome": "wrong-bug", "why": wrong[:5]}
    if reason == "max-time":
        return result | {"outcome": "late"}
    if reason != "exhausted":
        return result | {"outcome": "underapproximations", "why": reason}
    if lost:
        return result | {"outcome": "lost-bug", "why": [native.example(place) for place in lost]}
    missing = native.all_sides() & ~sides if program.level == "-O0" else 0
    if missing:
        which = [side for side in range(missing.bit_length()) if missing >> side & 1]
        why = [f"B {n // 2} side {n % 2}: input {native.first_with(n)}" for n in which[:5]]
        return result | {"outcome": "lost-side", "why": why}
    if plain and plain["outcome"] == "same" and branches != plain["branches"]:
        return result | {"outcome": "lost-side", "why": f"{branches} of {plain['branches']}"}
    return result | {"outcome": "same"}


def judge(arguments: argparse.Namespace, seed: int, known: dict[str, dict]) -> list[dict]:
    """The lines of a program that are not known yet."""
    rows = []
    with tempfile.TemporaryDirectory() as name:
        directory = pathlib.Path(name)
        program, native, bitcode = subsumption_native.prepared(seed, arguments.clang, directory)
        known = dict(known)
        for number, configuration in enumerate(configurations(arguments, seed)):
            if configuration in known:
                continue
            out = directory / f"out{number}"
            summary, error = explored(arguments, configuration, bitcode, out)
            row = {"seed": seed, "configuration": configuration, "level": program.level}
            if summary is None:
                row |= {"outcome": "failed", "why": error}
            else:
                row |= judged(summary, program, native, out, known.get(PLAIN))
            known[configuration] = row
            rows.append(row)
        if arguments.keep and any(row["outcome"] != "same" for row in rows):
            kept = arguments.keep / str(seed)
            kept.mkdir(parents=True, exist_ok=True)
            for part in [*directory.glob("*.c"), *directory.glob("*.bc")]:
                (kept / part.name).write_bytes(part.read_bytes())
    return rows


def judge_all(arguments: argparse.Namespace, wanted: range) -> list[dict]:
    """The lines of all programs; new ones are added to the log."""
    known: dict[int, dict[str, dict]] = collections.defaultdict(dict)
    if arguments.log.exists() and not arguments.fresh:
        for line in map(json.loads, arguments.log.read_text().splitlines()):
            known[line["seed"]][line["configuration"]] = line
    arguments.log.parent.mkdir(parents=True, exist_ok=True)
    lock = threading.Lock()
    with arguments.log.open("w" if arguments.fresh else "a") as log:

        def one(seed: int) -> None:
            if all(name in known[seed] for name in configurations(arguments, seed)):
                return
            rows = judge(arguments, seed, known[seed])
            with lock:
                for row in rows:
                    log.write(json.dumps(row) + "\n")
                    known[seed][row["configuration"]] = row
                    if row["outcome"] != "same":
                        print(json.dumps(row), flush=True)
                log.flush()

        with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
            list(pool.map(one, wanted))
    return [known[seed][name] for seed in wanted for name in configurations(arguments, seed)]


def ratio(rows: list[dict], plain: dict[int, dict]) -> str:
    """Instructions of these runs by those of the plain ones of the same programs."""
    rows = [row for row in rows if "instructions" in row and "instructions" in plain[row["seed"]]]
    before = sum(plain[row["seed"]]["instructions"] for row in rows)
    return f"{sum(row['instructions'] for row in rows) / before:.3f}" if before else ""


def table(results: list[dict]) -> list[str]:
    """Outcomes by configuration, and what was not the same."""
    plain = {row["seed"]: row for row in results if row["configuration"] == PLAIN}
    groups: dict[str, list[dict]] = collections.defaultdict(list)
    for row in results:
        for name in {row["configuration"], *row["configuration"].split("/")}:
            groups[name].append(row)
        if row["configuration"] != PLAIN:
            groups["all but plain"].append(row)
    lines = tables.header(TITLES, numbers=True)
    for name, rows in sorted(groups.items()):
        count = collections.Counter(row["outcome"] for row in rows)
        subsumed = sum(row.get("subsumption", {}).get("subsumed", 0) for row in rows)
        cells = [name, len(rows), *(count[one] for one in OUTCOMES), subsumed, ratio(rows, plain)]
        lines.append(tables.row(cells))
    odd = [row for row in results if row["outcome"] != "same"]
    lines += [""] + [
        f"- seed {row['seed']} {row['level']} {row['configuration']}: {row['outcome']}"
        f" {row.get('why', '')}"
        for row in odd
    ]
    return lines


def run(arguments: argparse.Namespace) -> int:
    """Judges all programs and prints the table."""
    studies.check(arguments)
    arguments.homi = engines.needed(arguments.homi)
    wanted = range(arguments.first, arguments.first + arguments.count)
    results = judge_all(arguments, wanted)
    lines = table(results)
    print("\n".join(lines))
    facts = [f"seeds: {wanted[0]} to {wanted[-1]}", f"limit: {arguments.limit} processor seconds"]
    facts.append(f"options: `{arguments.options}`")
    question = "Does homi with --subsume find all failing locations and branches of random programs?"
    studies.write(arguments, question, "correctness", facts, lines)
    count = collections.Counter(row["outcome"] for row in results)
    too_many = count["underapproximations"] + count["late"] > MOST_CUT * len(results)
    return int(too_many or any(count[one] for one in BAD))
