"""The tables of `benchmarks/bench campaign`: cells in, lines of Markdown out. Runs nothing.

Means over different seeds are no comparison: in a row only those seeds count that every mode has
which was run at all.
"""

import argparse
import collections
import collections.abc

from homibench import replay, subjects, tables

# A program loses nothing if it keeps this share of the branches without pruning; the paper's
# tenth of the states.
GOAL_KEEP, GOAL_STATES = 0.98, 10.0
# Modes that the paper does not have.
OURS = ["guard", "known", "both", "seeds"]

Find = collections.abc.Callable[[str, str, str, str, float], dict | None]
Key = tuple[str, str, str, str, float]


class Plan:
    """Which cells a table needs, and the ones that are there."""

    def __init__(self, arguments: argparse.Namespace, find: Find) -> None:
        self.modes: list[str] = arguments.modes
        self.seeds: list[str] = arguments.seeds
        self.budget: float = arguments.budget
        self.pick_budget: float = arguments.pick_budget
        self.candidates: list[str] = arguments.candidates
        self.one_search: bool = bool(arguments.search)
        self.find = find

    def stage_1(self, programs: list[str]) -> list[Key]:
        """One run without pruning of each candidate."""
        seed = self.seeds[0]
        names = [(program, search) for program in programs for search in self.candidates]
        return [(program, search, "none", seed, self.pick_budget) for program, search in names]

    def stage_2(self, searches: dict[str, str | None]) -> list[Key]:
        """Seed after seed, so that an early stop leaves complete comparisons."""
        chosen = [(program, search) for program, search in searches.items() if search]
        return [
            (program, search, mode, seed, self.budget)
            for seed in self.seeds
            for program, search in chosen
            for mode in self.modes
        ]

    def picked_from(self, program: str) -> dict[str, int]:
        """Branches of each candidate that ran in stage 1."""
        cells = {key[1]: self.find(*key) for key in self.stage_1([program])}
        return {search: cell["branches"] for search, cell in cells.items() if cell}

    def best_search(self, program: str) -> str | None:
        """The candidate with the most branches in stage 1; of equals the first."""
        branches = self.picked_from(program)
        return max(branches, key=branches.__getitem__, default=None)

    def compared(self, program: str, search: str) -> dict[str, list[dict]]:
        """The cells of each mode, of the seeds that all modes have which were run."""
        found = {
            mode: {seed: self.find(program, search, mode, seed, self.budget) for seed in self.seeds}
            for mode in self.modes
        }
        run = [cells for cells in found.values() if any(cells.values())]
        common = [seed for seed in self.seeds if all(cells[seed] for cells in run)]
        return {
            mode: [cell for seed in common if (cell := cells[seed])]
            for mode, cells in found.items()
        }


def stage_1_table(plan: Plan, programs: list[str]) -> list[str]:
    """Branches of each candidate on each program, and its mean share of the best candidate's."""
    head = f"Stage 1, {plan.pick_budget:g} s, seed {plan.seeds[0]}, no pruning:"
    lines = [head, "", *tables.header(["program", *plan.candidates, "best"])]
    shares = collections.defaultdict(list)
    for program in programs:
        branches = plan.picked_from(program)
        for search, count in branches.items():
            shares[search].append(count / max(*branches.values(), 1))
        shown = [branches.get(search, "-") for search in plan.candidates]
        lines.append(tables.row([program, *shown, plan.best_search(program) or "-"]))
    # A mean over other programs is no comparison.
    full = {search for search in plan.candidates if len(shares[search]) == len(programs)}
    means = [f"{tables.mean(shares[one]):.3f}" if one in full else "-" for one in plan.candidates]
    return [*lines, tables.row(["mean share of the best", *means, ""]), ""]


def _mean_of(cells: list[dict], name: str) -> float:
    return tables.mean(cell[name] for cell in cells)


class Comparison:
    """The second table, and what its rows sum up to."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.both = "none" in plan.modes and "homi" in plan.modes
        self.ours = [mode for mode in OURS if mode in plan.modes]
        self.ratios: dict[str, float] = {}
        self.factors: list[float] = []
        self.missing: list[str] = []

    def titles(self) -> list[str]:
        """The table's head."""
        titles = ["program", "search", "branches in all", *self.plan.modes]
        if self.both:
            titles += ["homi / none", *(f"{mode} / none" for mode in self.ours)]
            titles += ["states none", "states homi", "factor", "only homi", "only none"]
        return titles

    def row(self, program: str, search: str) -> str | None:
        """A program's line; none if it has no cell."""
        found = self.plan.compared(program, search)
        total = max(
            (cell["branches_total"] for cells in found.values() for cell in cells), default=0
        )
        if not total:
            return None
        columns = [self._branches(found[mode]) for mode in self.plan.modes]
        if self.both:
            columns += self._against_none(program, found)
        return tables.row([program, search, total, *columns])

    def _branches(self, cells: list[dict]) -> str:
        seeds = len(self.plan.seeds)
        part = f" ({len(cells)} of {seeds})" if len(cells) < seeds else ""
        return f"{_mean_of(cells, 'branches'):.0f}{part}" if cells else "-"

    def _against_none(self, program: str, found: dict[str, list[dict]]) -> list[str]:
        none, homi = found["none"], found["homi"]
        if not none or not homi:
            return ["-"] * (6 + len(self.ours))
        plain = max(_mean_of(none, "branches"), 1)
        states = [_mean_of(cells, "states_mean") for cells in (none, homi)]
        self.ratios[program] = _mean_of(homi, "branches") / plain
        self.factors.append(states[0] / max(states[1], 1))
        shares = [_mean_of(found[mode], "branches") / plain for mode in self.ours]
        columns = [f"{self.ratios[program]:.3f}"]
        columns += [f"{share:.3f}" if share else "-" for share in shares]
        columns += [f"{states[0]:,.0f}", f"{states[1]:,.0f}", f"{self.factors[-1]:.1f}"]
        return [*columns, replay.exclusive(homi, none), replay.exclusive(none, homi)]

    def lines(self, searches: dict[str, str | None]) -> list[str]:
        """The whole table."""
        lines = tables.header(self.titles())
        for program, search in searches.items():
            row = self.row(program, search) if search else None
            if row:
                lines.append(row)
            else:
                self.missing.append(program)
        return [*lines, *self._sums()]

    def _sums(self) -> list[str]:
        lines = []
        if self.ratios:
            above = sum(ratio > 1 for ratio in self.ratios.values())
            low = [program for program, ratio in self.ratios.items() if ratio < GOAL_KEEP]
            lines += [
                "",
                f"homi above none on {above} of {len(self.ratios)}; below {GOAL_KEEP} of it: "
                f"{', '.join(low) or 'none'}; states fewer by a factor of "
                f"{tables.mean(self.factors):.1f} in the mean of programs "
                f"(the paper: {GOAL_STATES:g}).",
            ]
        if self.missing:
            lines += ["", f"Not measured: {', '.join(self.missing)}."]
        return lines


def facts(plan: Plan, searches: dict[str, str | None]) -> list[str]:
    """What the README says of the cells that are in the table."""
    found = [plan.find(*key) for key in plan.stage_2(searches)]
    cells = [cell for cell in found if cell]
    dates = sorted(cell.get("date", "") for cell in cells) or [""]

    def named(key: str) -> str:
        counts = collections.Counter(cell.get(key, "unknown") for cell in cells)
        return "; ".join(f"{name} ({count} cells)" for name, count in counts.most_common())

    return [
        f"cells: {len(cells)}, from {dates[0]} to {dates[-1]} UTC, of {named('commit')}",
        f"machines: {named('machine')}",
        f"budget: {plan.budget:g} s a run, {named('options')}",
        f"seeds: {', '.join(plan.seeds)}",
        f"arguments: {' '.join(subjects.arguments('usual'))}",
    ]


def report(
    plan: Plan, programs: list[str], searches: dict[str, str | None]
) -> tuple[list[str], list[str]]:
    """(facts, tables) of a study."""
    first = [] if plan.one_search else stage_1_table(plan, programs)
    return facts(plan, searches), [*first, *Comparison(plan).lines(searches)]
