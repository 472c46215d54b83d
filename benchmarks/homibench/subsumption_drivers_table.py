"""The tables of subsumption_drivers: what its rows say, one table for each experiment.

What a measured run did in subsumed trees is taken from its figures. The instructions of greedy
confirmation are added, and in `with reasons` those of following stretches once more; its work and
its time have both already. A ratio is of what a path took, so that runs that were cut compare, too.
"""

from homibench import tables

ENDED = {"max-runs": "", "exhausted": " (all)", "max-time": " (cut)"}


def net(row: dict) -> dict[str, float]:
    """What a run would have taken without the subsumed trees."""
    figures = row["subsumption"]
    measured = figures.get("measured", {})
    own = row["instructions"] - measured.get("instructions_subsumed", 0)
    instructions = own + figures.get("greedy_instructions", 0)
    return {
        "instructions": instructions,
        "with reasons": instructions + figures.get("retraced_instructions", 0),
        "work": row["work"] - measured.get("work_subsumed", 0),
        "wall_s": row["wall_s"] - measured.get("time_subsumed_s", 0),
    }


def ratios(plain: dict, row: dict) -> list[str]:
    """How many times more a path took without, for each figure of `net`."""
    less, more = net(row), net(plain)
    share = max(row["paths"], 1) / max(plain["paths"], 1)
    return [f"{more[what] / max(less[what], 1e-9) * share:.2f}" for what in less]


def paths(row: dict) -> str:
    """A run's paths, and whether they are all, or were cut."""
    return f"{row['paths']:,}{ENDED.get(row['reason'], ' ' + row['reason'])}"


def performance(found: dict[tuple[str, str, str], dict]) -> list[str]:
    """First experiment: what it takes to follow so many paths."""
    titles = ["driver", "strategy", "target", "paths plain", "paths with", "instructions plain"]
    titles += ["with", "ratio", "with reasons", "of work", "of time"]
    lines = tables.header(titles, numbers=True)
    for (driver, strategy, arm), row in found.items():
        plain = found.get((driver, strategy, "plain"))
        if arm in ("greedy", "not greedy") and plain:
            name = strategy if arm == "greedy" else f"{strategy}, not greedy"
            line = [driver, name, f"{row['target']:,}", paths(plain), paths(row)]
            line += [f"{plain['instructions']:,}", f"{net(row)['instructions']:,}"]
            lines.append(tables.row([*line, *ratios(plain, row)]))
    return lines


def shares(found: dict[tuple[str, str, str], dict]) -> list[str]:
    """Second and third experiment: paths in subsumed trees, and those there not followed."""
    titles = ["driver", "strategy", "paths", "in subsumed trees", "in percent", "extra paths"]
    titles += ["entries", "greedy tried", "succeeded", "tests s", "reasons s", "greedy s"]
    lines = tables.header(titles, numbers=True)
    for (driver, strategy, arm), row in found.items():
        if arm in ("greedy", "not greedy"):
            figures = row["subsumption"]
            measured = figures["measured"]
            extra = max(figures["leaves_spared"] - measured["paths_subsumed"], 0)
            line = [driver, strategy if arm == "greedy" else f"{strategy}, not greedy"]
            line += [f"{measured['paths']:,}", f"{measured['paths_subsumed']:,}"]
            line += [f"{measured['subsumed_percent']:.1f}"]
            line += ["" if strategy == "dfs" else f"{extra:,}", f"{figures['entries']:,}"]
            line += [f"{figures[name]:,}" for name in ("greedy_tried", "greedy_succeeded")]
            line += [f"{figures[name]:.2f}" for name in ("test_s", "annotate_s", "greedy_s")]
            lines.append(tables.row(line))
    return lines


def ends(found: dict[tuple[str, str, str], dict]) -> list[str]:
    """Fourth experiment: drivers followed to their ends, subsumed paths left out."""
    titles = ["driver", "strategy", "reason", "paths", "subsumed", "bugs", "instructions"]
    titles += ["with reasons", "work", "wall s"]
    lines = tables.header(titles, numbers=True)
    for (driver, strategy, arm), row in found.items():
        if arm.startswith("to the end"):
            name = f"{strategy}{arm.removeprefix('to the end')}"
            line = [driver, name, row["reason"], f"{row['paths']:,}"]
            line += [f"{row['subsumption'].get('subsumed', 0):,}", row["bugs"]]
            line += [f"{net(row)[name]:,}" for name in ("instructions", "with reasons")]
            lines.append(tables.row([*line, f"{row['work']:,}", f"{row['wall_s']:.2f}"]))
    return lines


def differences(found: dict[tuple[str, str, str], dict]) -> list[str]:
    """Measured runs that took other paths than their plain run; of runs that were not cut."""
    wrong = []
    for (driver, strategy, arm), row in found.items():
        plain = found.get((driver, strategy, "plain"))
        if "measured" not in row["subsumption"] or not plain:
            continue
        if "max-time" in (row["reason"], plain["reason"]):
            continue
        for figure in ("paths", "instructions", "branches", "bugs"):
            if row[figure] != plain[figure]:
                which = f"{driver} {strategy} {arm}: {figure}"
                wrong.append(f"- {which} {row[figure]}, plain {plain[figure]}")
    return wrong


def tables_of(rows: list[dict]) -> tuple[list[str], bool]:
    """All tables, and whether each measured run took the paths of its plain run."""
    found = {(row["program"], row["strategy"], row["arm"]): row for row in rows}
    wrong = differences(found)
    lines = ["### To a number of paths", "", *performance(found), "", "### Subsumed paths", ""]
    lines += [*shares(found), "", "### To the end", "", *ends(found), "", *wrong]
    lines += ["(all): the program has no more paths. (cut): the budget ended the run."]
    return lines, not wrong
