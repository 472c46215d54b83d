"""Judges scores of states by what became of states that were drawn.

Each directory is that of a run with `--write-state-samples --prune none`, named PROGRAM-SEED. No run
that prunes is needed: a state that is drawn has a tag that its descendants inherit, and what they are
the first to cover is its credit. Of each score two figures are told, by program:

  AUC    how often a state that led to something new scores higher than one that did not, over the
         pairs of each draw; 0.5 is chance;
  kept   the part of a draw's credit that stays if the 40 % with the lowest scores leave, relative
         to what stays by chance (0.6), in the mean of the draws; ties by lot.

`log-odds` is learned from the runs of the same program with other seeds. The rule (issue 43): a score
goes into homi only if it keeps 1.15 times what chance keeps on four of five programs.
"""

import argparse
import json
import math
import pathlib
import random
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable

Row = dict
SHARE = 0.4


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Directories of runs, and where rows go."""
    parser.add_argument("directories", nargs="+", type=pathlib.Path, metavar="DIR")
    parser.add_argument("--cells", type=pathlib.Path, help="append each figure to this file")
    parser.add_argument("--after", type=float, default=0.0, metavar="SHARE",
                        help="leave out draws before this share of the run's work (0)")


def log_odds(rows: Iterable[Row]) -> dict[str, float]:
    """Of each feature: the logarithm of how much likelier credit is with it than on the whole."""
    seen: Counter[str] = Counter()
    good: Counter[str] = Counter()
    count, credited = 0, 0
    for row in rows:
        count += 1
        credited += row["credit"] > 0
        seen.update(row["features"])
        if row["credit"] > 0:
            good.update(row["features"])
    base = (credited + 1) / (count + 2)
    # Ten rows' worth of the base rate are known before.
    rate = {one: (good[one] + 10 * base) / (seen[one] + 10) for one in seen}
    odds = math.log(base / (1 - base))
    return {one: math.log(p / (1 - p)) - odds for one, p in rate.items()}


def scores(others: list[Row], chance: random.Random) -> dict[str, Callable[[Row], float]]:
    """What is judged, the higher the better; `others` are the rows to learn from."""
    weights = log_odds(others)
    lot: defaultdict[str, float] = defaultdict(lambda: chance.uniform(-1, 1))
    return {
        "lot": lambda row: chance.random(),
        "theta by lot": lambda row: sum(lot[one] for one in row["features"]),
        "log-odds": lambda row: sum(weights.get(one, 0.0) for one in row["features"]),
        "rarity": lambda row: row["rarity"],
        "untested sides": lambda row: row["untested"],
        "few tests of rarest": lambda row: -row["rarest"],
        "few at its place": lambda row: -row["at_place"],
        "rarity, then few at its place": lambda row: row["rarity"] / row["at_place"],
        "log-odds, and few at its place": lambda row: (
            sum(weights.get(one, 0.0) for one in row["features"]) - math.log(row["at_place"])
        ),
        "near uncovered code": lambda row: -row["distance"] if row["distance"] else -math.inf,
        "new lately": lambda row: -row["since_new"] if row["since_new"] else -math.inf,
        "rarely executed": lambda row: -row["point_count"],
        "rare calls": lambda row: -row["call_path_count"],
        "few forks": lambda row: -row["depth"],
        "many forks": lambda row: row["depth"],
        "little of the solver": lambda row: -row["solver_seconds"],
        "young": lambda row: row["state"],
    }


def auc(pairs: list[tuple[float, int]]) -> tuple[float, int]:
    """The area under the curve and the number of pairs that it is of."""
    order = sorted(pairs)
    good = sum(credit > 0 for _, credit in order)
    bad = len(order) - good
    if not good or not bad:
        return 0.0, 0
    ranks, at = 0.0, 0
    while at < len(order):
        end = at
        while end < len(order) and order[end][0] == order[at][0]:
            end += 1
        ranks += sum(credit > 0 for _, credit in order[at:end]) * (at + end + 1) / 2
        at = end
    return (ranks - good * (good + 1) / 2) / (good * bad), good * bad


def kept(pairs: list[tuple[float, int]]) -> float:
    """The expected part of the credit that stays, where lot decides between equal scores."""
    order = sorted(pairs)
    leaving = round(len(order) * SHARE)
    total = sum(credit for _, credit in order)
    stays, at = 0.0, 0
    while at < len(order):
        end = at
        while end < len(order) and order[end][0] == order[at][0]:
            end += 1
        part = (end - max(at, min(end, leaving))) / (end - at)
        stays += part * sum(credit for _, credit in order[at:end])
        at = end
    return stays / total


def load(directory: pathlib.Path, after: float) -> list[Row]:
    """The rows of a run."""
    with open(directory / "state-samples.jsonl", encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    with open(directory / "state-features.jsonl", encoding="utf-8") as lines:
        texts = [json.loads(line) for line in lines]
    for row in rows:
        row["features"] = [texts[number] for number in row["features"]]
    last = max((row["work"] for row in rows), default=0)
    return [row for row in rows if row["work"] >= after * last]


def judge(runs: dict[str, list[Row]]) -> dict[str, tuple[float, float]]:
    """AUC and kept credit of each score over the runs of one program, by seed."""
    chance = random.Random(1)
    areas: defaultdict[str, list[tuple[float, int]]] = defaultdict(list)
    stays: defaultdict[str, list[float]] = defaultdict(list)
    for seed, rows in runs.items():
        others = [row for other, more in runs.items() if other != seed for row in more]
        draws: defaultdict[int, list[Row]] = defaultdict(list)
        for row in rows:
            draws[row["draw"]].append(row)
        known = scores(others, chance)
        for draw in draws:
            known["theta by lot"] = scores([], chance)["theta by lot"]
            for name, score in known.items():
                pairs = [(score(row), row["credit"]) for row in draws[draw]]
                areas[name].append(auc(pairs))
                if any(credit for _, credit in pairs):
                    stays[name].append(kept(pairs))
    found = {}
    for name, parts in areas.items():
        weight = sum(pairs for _, pairs in parts)
        area = sum(area * pairs for area, pairs in parts) / max(weight, 1)
        mean = sum(stays[name]) / max(len(stays[name]), 1)
        found[name] = (area, mean / (1 - SHARE))
    return found


def run(arguments: argparse.Namespace) -> int:
    """Prints a table of both figures."""
    programs: defaultdict[str, dict[str, list[Row]]] = defaultdict(dict)
    for directory in arguments.directories:
        program, _, seed = directory.name.rpartition("-")
        programs[program][seed] = load(directory, arguments.after)
    found = {program: judge(runs) for program, runs in programs.items()}
    names = list(next(iter(found.values())))
    print("| score | " + " | ".join(f"{one} AUC, kept" for one in found) + " | kept >= 1.15 |")
    print("|---|" + "---:|" * (len(found) + 1))
    for name in names:
        figures = [found[program][name] for program in found]
        cells = " | ".join(f"{area:.2f}, {stay:.2f}" for area, stay in figures)
        print(f"| {name} | {cells} | {sum(stay >= 1.15 for _, stay in figures)} |")
    if arguments.cells:
        with open(arguments.cells, "a", encoding="utf-8") as out:
            for program, scored in found.items():
                for name, (area, stay) in scored.items():
                    cell = {"program": program, "score": name, "auc": round(area, 4),
                            "kept": round(stay, 4), "seeds": sorted(programs[program])}
                    out.write(json.dumps(cell) + "\n")
    return 0
