"""The tables of `benchmarks/coverage`: figures of cells (coverage_cells.figures) in, lines of Markdown out. Runs nothing."""

import math
import os

import coverage_cells as cells
import made_with


def best(results, tool, engine, seconds, key="branches"):
    """The figures with most branches among the runs of an engine on a tool for a time."""
    runs = [result for result in results if key in result
            and (result["tool"], result["engine"], result["seconds"]) == (tool, engine, seconds)]
    return max(runs, key=lambda result: result[key], default=None)


def ratio(arguments, results, tool, seconds, key="branches"):
    """homi's branches over KLEE's best of so many seconds; infinite where one is missing."""
    ours, theirs = best(results, tool, "homi", arguments.time, key), best(results, tool, "klee", seconds, key)
    return ours[key] / theirs[key] if ours and theirs and theirs[key] else math.inf


COLUMNS = [("tool", "tool"), ("engine", "engine"), ("search", "search"), ("seconds", "s"), ("cpu_s", "CPU s"),
           ("wall_s", "wall s"), ("instructions", "instructions"), ("paths", "paths"), ("gaps", "gaps"), ("tests", "tests"),
           ("questions", "questions"), ("smt", "SMT"), ("branches", "branches"), ("main", "in main file")]


def row(figures):
    def cell(key):
        value = figures.get(key)
        if key in ("branches", "main") and value is not None:
            return f"{value} of {figures[key + '_total']}"
        if isinstance(value, float):
            return f"{value:.1f}"
        return "-" if value is None else f"{value:,}" if isinstance(value, int) else str(value)

    text = "| " + " | ".join(cell(key) for key, _ in COLUMNS) + " |"
    problem = figures.get("error") or figures.get("replay_error")
    return text + (f"\n\n{figures['tool']}: {problem}\n" if problem else "")


def header(titles):
    return ["| " + " | ".join(titles) + " |", "|" + "|".join("---" for _ in titles) + "|"]


def comparison(arguments, results, seconds):
    """homi against the best of KLEE's searches, each for its time; nothing without both."""
    lines = ["", f"## homi in {arguments.time} s, the best of KLEE's searches in {seconds} s", "",
             *header(["tool", "homi", "KLEE", "its search", "ratio", "homi, main file", "KLEE", "its search", "ratio"])]
    logarithms = {"branches": [], "main": []}
    for tool in arguments.tools:
        words = [tool]
        for key, sums in logarithms.items():
            ours, theirs = best(results, tool, "homi", arguments.time, key), best(results, tool, "klee", seconds, key)
            quotient = ratio(arguments, results, tool, seconds, key)
            if math.isfinite(quotient):
                sums.append(math.log(quotient))
                words += [str(ours[key]), str(theirs[key]), theirs["search"], f"{quotient:.2f}"]
        if len(words) > 1:
            lines.append("| " + " | ".join(words) + " |")
    if not all(logarithms.values()):
        return []
    means = [math.exp(sum(sums) / len(sums)) for sums in logarithms.values()]
    return [*lines, "", f"Geometric mean of the ratios of {len(logarithms['branches'])} tools: {means[0]:.2f} in all files, "
            f"{means[1]:.2f} in the main file."]


def facts_of(arguments, results):
    loads = sorted(load for result in results for load in result["load"]) or [os.getloadavg()[0]]
    shares = sorted(result["share"] for result in results) or [0.0]
    placed = f", pinned to processor {arguments.core}" if arguments.core is not None else ""
    return [f"{len(results)} runs, one at a time{placed}, from {min((r['date'] for r in results), default='-')} UTC on",
            f"machine {made_with.machine()}; load {loads[0]:.1f} to {loads[-1]:.1f}, median {loads[len(loads) // 2]:.1f}",
            f"share of a processor (user and system time over wall time) of the runs: {shares[0]:.2f} to {shares[-1]:.2f}, median "
            f"{shares[len(shares) // 2]:.2f}", f"commit {made_with.commit()}, seed {arguments.seed}, bitcode by clang {arguments.clang}",
            f"program arguments {' '.join(cells.ARGUMENTS)}", "KLEE's searches: " +
            ", ".join(f"{name} ({words or 'random-path and nurs:covnew in turns'})" for name, words in cells.KLEE_NINE.items()),
            *arguments.note]
