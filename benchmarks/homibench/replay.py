"""What tests cover, counted by gcov: replays on programs built by `gcc --coverage`."""

import functools
import hashlib
import json
import operator
import os
import pathlib
import subprocess

from homibench import cells, engines


def count(
    homi: pathlib.Path,
    program: pathlib.Path,
    tests: pathlib.Path,
    report: pathlib.Path,
    lcov: pathlib.Path | None = None,
) -> str | None:
    """Replays the tests of a directory into a JSON report and a tracefile; says what failed."""
    part = report.with_suffix(".part")
    words = ["--gcov", "--quiet", "--json", part, *(["--lcov", lcov] if lcov else [])]
    command = [str(word) for word in (homi, "replay", *words, program, tests)]
    done = subprocess.run(
        command,
        cwd=report.parent,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        errors="replace",
        check=False,
    )
    if not part.exists():
        return engines.last_line(done.stderr, "no JSON")
    part.rename(report)
    return None


def branch_figures(report: pathlib.Path, main_file: str) -> dict:
    """Branches covered and there, in all files and in the program's main one."""
    data = json.loads(report.read_text())
    main = [
        totals
        for name, totals in data["files"].items()
        if name == main_file or name.endswith("/" + main_file)
    ]
    return {
        "branches": data["branches_covered"],
        "branches_total": data["branches_total"],
        "main": sum(totals["covered"] for totals in main),
        "main_total": sum(totals["total"] for totals in main),
        "not_replayed": sum(test["status"].startswith("error") for test in data["tests"]),
    }


def covered(lcov: pathlib.Path) -> dict:
    """The branches that a tracefile counts: one bit for each in order, and a hash of the order."""
    counted: dict[str, bool] = {}
    name = ""
    for line in lcov.read_text().splitlines():
        if line.startswith("SF:"):
            name = os.path.basename(line[3:])
        elif line.startswith("BRDA:"):
            place, taken = line[5:].rsplit(",", 1)
            branch = f"{name}:{place}"
            counted[branch] = counted.get(branch, False) or taken not in ("-", "0")
    order = sorted(counted)
    bits = sum(1 << index for index, branch in enumerate(order) if counted[branch])
    digest = hashlib.sha256("\n".join(order).encode()).hexdigest()[:12]
    return {"of": digest, "bits": cells.packed(bits)}


def exclusive(some: list[dict], others: list[dict]) -> str:
    """Branches that some cells cover and no other does; `-` if they did not count the same ones."""
    both = some + others
    if any("covered" not in cell for cell in both):
        return "-"
    if len({cell["covered"]["of"] for cell in both}) != 1:
        return "-"

    def union(these: list[dict]) -> int:
        sets = (cells.unpacked(cell["covered"]["bits"]) for cell in these)
        return functools.reduce(operator.or_, sets, 0)

    return str((union(some) & ~union(others)).bit_count())
