"""A gate for CI: tests of GNU coreutils must cover as much as before, without a new bug.

Each program is explored with an equal budget in work, so the figures are the same on a slow machine
and on a fast one. Its tests are replayed on the build for gcov. A program may lose a part of its
branches (`--tolerance`), for small changes of the search move single branches; all together may lose
a third of that part. What is below, a test that cannot be run, or a bug that the baseline does not
have fails the gate, after all programs had their turn.

  benchmarks/bench gate --output gate
  benchmarks/bench gate --output gate --write       the figures of today are the baseline

In the output directory each program has its run, `page.html`, SARIF and JUnit files; `table.md` has
all figures. GITHUB_STEP_SUMMARY, if set, gets the table too.

Needs: the programs (scripts/setup subjects); cargo build --release.
"""

import argparse
import json
import os
import pathlib

from homibench import engines, subjects, tables
from homibench.places import BENCHMARKS

BASELINE = BENCHMARKS / "gate.json"
TOOLS = ["echo", "wc", "tr", "expr", "pr", "dd", "ptx", "vdir", "ginstall"]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the command-line arguments."""
    add = parser.add_argument
    add("tools", nargs="*", help=f"default: {', '.join(TOOLS)}")
    add("--output", type=pathlib.Path, required=True, metavar="DIR", help="a new directory")
    add("--baseline", type=pathlib.Path, default=BASELINE, metavar="FILE")
    add("--budget", default="100000000w", help="of each run, in work (100000000w)")
    add("--tolerance", type=float, default=0.03, help="part that a program may lose (0.03)")
    add("--write", action="store_true", help="make the figures of today the baseline")
    engines.add_homi(parser)


def explored(arguments: argparse.Namespace, tool: str, place: pathlib.Path) -> dict:
    """A program's figures: branches by homi and by gcov, tests, bugs. `failure` says what failed."""
    output = place / "run"
    command = [arguments.homi, "run", "--quiet", "--output-dir", output, "--seed", 1]
    command += ["--threads", 1, "--prune", "homi", "--max-time", arguments.budget]
    command += ["--export", "sarif", subjects.needed_bitcode(tool), "--", *subjects.all_args(tool)]
    done = engines.measured(command, place)
    summary = engines.summary(output)
    if done.status != 0 or summary is None:
        return {"failure": engines.last_line(done.text, f"homi run: status {done.status}")}
    figures = {
        "branches": summary["coverage"]["branches"],
        "tests": summary["tests"],
        "bugs": sorted(f"{bug['location']}: {bug['message']}" for bug in summary["errors"]),
    }
    page = [arguments.homi, "report", "--output", place / "page.html", output]
    command = [arguments.homi, "replay", "--quiet", "--gcov", "--export", "junit"]
    command += ["--export-dir", place, "--json", place / "replay.json"]
    for args in (page, [*command, subjects.counted(tool), output]):
        done = engines.measured(args, place)
        if done.status != 0:
            return figures | {"failure": engines.last_line(done.text, f"{args[1]} failed")}
    replayed = json.loads((place / "replay.json").read_text())
    return figures | {"gcov": replayed["branches_covered"]}


def complaints(figures: dict, base: dict | None, tolerance: float) -> list[str]:
    """What is worse than the baseline."""
    if "failure" in figures:
        return [figures["failure"]]
    if base is None:
        return ["it is not in the baseline (--write)"]
    found = [
        f"{figures[name]} {what}, {base[name]} before"
        for name, what in (("branches", "branches"), ("gcov", "branches by gcov"))
        if figures[name] < base[name] * (1 - tolerance)
    ]
    new = [bug for bug in figures["bugs"] if bug not in base["bugs"]]
    return found + [f"a new bug: {bug}" for bug in new]


def table(rows: dict[str, dict], base: dict[str, dict], worse: dict[str, list[str]]) -> list[str]:
    """A row for each program."""
    titles = ["program", "branches", "before", "gcov", "before", "tests", "bugs"]
    lines = tables.header(titles, numbers=True)
    for tool, row in rows.items():
        known = base.get(tool, {})
        cells = [row.get("branches", ""), known.get("branches", "")]
        cells += [row.get("gcov", ""), known.get("gcov", ""), row.get("tests", "")]
        lines.append(tables.row([tool, *cells, len(row.get("bugs", []))]))
    told = [f"- {tool}: {text}" for tool, texts in worse.items() for text in texts]
    return [*lines, "", *(told or ["- nothing is worse than the baseline"])]


def in_all(rows: dict[str, dict], base: dict[str, dict], tolerance: float) -> list[str]:
    """What all programs together lost."""
    both = [tool for tool in rows if tool in base and "gcov" in rows[tool]]
    now, before = (sum(side[tool]["gcov"] for tool in both) for side in (rows, base))
    if now >= before * (1 - tolerance / 3):
        return []
    return [f"{now} branches by gcov, {before} before"]


def run(arguments: argparse.Namespace) -> int:
    """Explores, replays, compares; 1 if something is worse."""
    arguments.homi = engines.needed(arguments.homi)
    if not arguments.budget.endswith("w"):
        raise SystemExit("--budget: figures are compared with those of other machines: 100000000w")
    if arguments.output.exists():
        raise SystemExit(f"{arguments.output} exists: take another directory, or remove it")
    arguments.output = arguments.output.resolve()
    known = json.loads(arguments.baseline.read_text()) if arguments.baseline.exists() else {}
    if known and known["budget"] != arguments.budget and not arguments.write:
        raise SystemExit(f"{arguments.baseline} is of --budget {known['budget']}")
    base = known.get("programs", {})
    rows, worse = {}, {}
    for tool in arguments.tools or TOOLS:
        place = arguments.output / tool
        place.mkdir(parents=True)
        rows[tool] = explored(arguments, tool, place)
        worse[tool] = complaints(rows[tool], base.get(tool), arguments.tolerance)
        print(f"{tool}: {'; '.join(worse[tool]) or 'in order'}", flush=True)
    worse["all together"] = in_all(rows, base, arguments.tolerance)
    lines = table(rows, base, worse)
    text = "\n".join(lines) + "\n"
    (arguments.output / "table.md").write_text(text)
    summary = os.environ.get("GITHUB_STEP_SUMMARY")
    if summary:
        with open(summary, "a") as file:
            file.write(text)
    print(text, end="")
    if arguments.write:
        failed = [tool for tool, row in rows.items() if "failure" in row]
        if failed:
            raise SystemExit(f"no baseline was written: {', '.join(failed)} failed")
        fresh = {"budget": arguments.budget, "programs": base | rows}
        arguments.baseline.write_text(json.dumps(fresh, indent=1) + "\n")
        return 0
    return int(any(worse.values()))
