"""The tables of subsumption_drivers.

Instructions with --subsume are those of the paths that were followed and of greedy confirmation;
`with reasons` adds those of following stretches once more. Work has all of it already. A ratio
says how many times as much the plain run took, where both runs ended by themselves.
"""

from homibench import tables

PLAIN = "plain"
ENDED = "exhausted"
TITLES = ["driver", "strategy", "configuration", "reason", "paths", "subsumed", "interpolants", "bugs"]
TITLES += ["instructions", "with reasons", "work", "wall s", "ratio", "with reasons", "of work"]

Found = dict[tuple[str, str, str], dict]


def costs(row: dict) -> list[float]:
    """What a run took: instructions, those with reasons, work."""
    figures = row["subsumption"]
    instructions = row["instructions"] + figures.get("greedy_instructions", 0)
    reasons = figures.get("subpath_instructions", 0)
    return [instructions, instructions + reasons, row["work"]]


def pair_ended(plain: dict | None, row: dict) -> bool:
    """Whether a run and its plain run ended by themselves, so that they compare."""
    return plain is not None and all(one["reason"].startswith(ENDED) for one in (plain, row))


def lines_of(found: Found) -> list[str]:
    """A line for each run."""
    lines = tables.header(TITLES, numbers=True)
    for (driver, strategy, arm), row in found.items():
        plain, figures = found.get((driver, strategy, PLAIN)), row["subsumption"]
        line = [driver, strategy, arm, row["reason"], f"{row['paths']:,}"]
        line += [f"{figures.get(name, 0):,}" for name in ("subsumed", "interpolants")]
        line += [row["bugs"], *(f"{cost:,}" for cost in costs(row)), f"{row['wall_s']:.2f}"]
        if arm != PLAIN and pair_ended(plain, row):
            pairs = zip(costs(plain), costs(row), strict=True)
            line += [f"{more / max(less, 1):.2f}" for more, less in pairs]
        else:
            line += ["", "", ""]
        lines.append(tables.row(line))
    return lines


def differences(found: Found) -> list[str]:
    """Runs that ended with other bugs or branches than their plain run."""
    wrong = []
    for (driver, strategy, arm), row in found.items():
        plain = found.get((driver, strategy, PLAIN))
        if not pair_ended(plain, row):
            continue
        for figure in ("branches", "bugs"):
            if row[figure] != plain[figure]:
                which = f"{driver} {strategy} {arm}: {figure}"
                wrong.append(f"- {which} {row[figure]}, plain {plain[figure]}")
    return wrong


def tables_of(rows: list[dict]) -> tuple[list[str], bool]:
    """The table, and whether no run lost a bug or a branch."""
    found = {(row["program"], row["strategy"], row["configuration"]): row for row in rows}
    wrong = differences(found)
    return [*lines_of(found), "", *wrong], not wrong
