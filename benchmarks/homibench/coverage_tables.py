"""The tables of `benchmarks/bench coverage`: figures of runs in, lines of Markdown out."""

import argparse
import math

from homibench import engines, provenance, subjects, tables

COLUMNS = {
    "tool": "tool",
    "engine": "engine",
    "search": "search",
    "seconds": "s",
    "cpu_s": "CPU s",
    "wall_s": "wall s",
    "instructions": "instructions",
    "paths": "paths",
    "gaps": "gaps",
    "tests": "tests",
    "questions": "questions",
    "smt": "SMT",
    "branches": "branches",
    "main": "in main file",
}
TITLES = list(COLUMNS.values())


def best(
    results: list[dict], tool: str, engine: str, seconds: int, key: str = "branches"
) -> dict | None:
    """The figures with most branches among the runs of an engine on a tool for a time."""
    wanted = (tool, engine, seconds)
    runs = [r for r in results if key in r and (r["tool"], r["engine"], r["seconds"]) == wanted]
    return max(runs, key=lambda result: result[key], default=None)


def ratio(
    results: list[dict], tool: str, ours_seconds: int, seconds: int, key: str = "branches"
) -> float:
    """homi's branches over KLEE's best of so many seconds; infinite where one is missing."""
    ours = best(results, tool, "homi", ours_seconds, key)
    theirs = best(results, tool, "klee", seconds, key)
    return ours[key] / theirs[key] if ours and theirs and theirs[key] else math.inf


def row(figures: dict) -> str:
    """A run's line, and below it what failed."""

    def cell(key: str) -> str:
        value = figures.get(key)
        if key in ("branches", "main") and value is not None:
            return f"{value} of {figures[key + '_total']}"
        if isinstance(value, float):
            return f"{value:.1f}"
        return "-" if value is None else f"{value:,}" if isinstance(value, int) else str(value)

    text = tables.row(cell(key) for key in COLUMNS)
    problem = figures.get("error") or figures.get("replay_error")
    return text + (f"\n\n{figures['tool']}: {problem}\n" if problem else "")


def comparison(tools: list[str], results: list[dict], ours_seconds: int, seconds: int) -> list[str]:
    """homi against the best of KLEE's searches, each for its time; nothing without both."""
    titles = ["tool", "homi", "KLEE", "its search", "ratio"]
    titles += ["homi, main file", "KLEE", "its search", "ratio"]
    head = f"homi in {ours_seconds} s, the best of KLEE's searches in {seconds} s:"
    lines = ["", head, "", *tables.header(titles)]
    ratios: dict[str, list[float]] = {"branches": [], "main": []}
    for tool in tools:
        words = [tool]
        for key, found in ratios.items():
            quotient = ratio(results, tool, ours_seconds, seconds, key)
            if math.isfinite(quotient):
                found.append(quotient)
                ours = best(results, tool, "homi", ours_seconds, key)
                theirs = best(results, tool, "klee", seconds, key)
                words += [ours[key], theirs[key], theirs["search"], f"{quotient:.2f}"]
        if len(words) > 1:
            lines.append(tables.row(words))
    if not all(ratios.values()):
        return []
    means = [tables.geometric_mean(found) for found in ratios.values()]
    return [
        *lines,
        "",
        f"Geometric mean of the ratios of {len(ratios['branches'])} tools: "
        f"{means[0]:.2f} in all files, {means[1]:.2f} in the main file.",
    ]


def facts(arguments: argparse.Namespace, results: list[dict]) -> list[str]:
    """What the README says of the runs."""
    loads = sorted(load for result in results for load in result["load"]) or [provenance.load()]
    shares = sorted(result["share"] for result in results) or [0.0]
    core = arguments.core
    placed = f", pinned to processor {core}" if core is not None else ""
    nine = [f"{name} ({words or 'KLEE names none'})" for name, words in engines.KLEE_NINE.items()]
    return [
        f"runs: {len(results)}, one at a time{placed}",
        f"load: {loads[0]:.1f} to {loads[-1]:.1f}, median {loads[len(loads) // 2]:.1f}",
        f"share of a processor: {shares[0]:.2f} to {shares[-1]:.2f}, median "
        f"{shares[len(shares) // 2]:.2f} (user and system time over wall time)",
        f"seed: {arguments.seed}; bitcode by clang {arguments.clang}",
        f"arguments: {' '.join(subjects.arguments('usual'))}",
        f"searches of KLEE: {', '.join(nine)}",
    ]
