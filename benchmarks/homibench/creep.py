"""No slow creep: eight short runs take as much work as the stored row says.

Work, queries, paths, states and bytes of terms of a run with a budget in instructions are the same on
every machine. A commit that changes one on purpose stores the new row with it:

  benchmarks/bench creep
  benchmarks/bench creep --write

The row names its toolchain, since another clang makes other bitcode of the programs and of the C
library. With another toolchain nothing is compared, and the command says so.

With a commit, its homi is built beside (.deps/creep), and both run the same programs: instructions
of the processor (callgrind) and bytes per state. Status 1 above 1.02 of the one or the other.

  benchmarks/bench creep --base main~1

Needs: scripts/setup; cargo build --release; for --base git and valgrind.
"""

import argparse
import json
import os
import pathlib
import re
import subprocess
import tempfile

from homibench import engines, subjects, tables
from homibench.places import BENCHMARKS, ROOT

ROW = BENCHMARKS / "creep.json"
PROGRAMS = ["echo", "wc", "tr", "expr", "pr", "dd", "ptx", "vdir"]
BUDGET = 1_000_000
# Of a commit and its base: more is creep.
LIMIT = 1.02
# Callgrind runs homi's file, but /proc/self/exe leads to callgrind's own, which homi starts anew.
STARTER = BENCHMARKS / "homibench/creep_start.c"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the command-line arguments."""
    parser.add_argument("--write", action="store_true", help="store the figures of today")
    parser.add_argument("--base", metavar="COMMIT", help="compare with the homi of this commit")
    engines.add_homi(parser)


def toolchain() -> str:
    """What bitcode depends on: clang and the headers of the C library."""
    clang = subprocess.run(
        [engines.needed_tool("clang-19", "scripts/setup tools"), "--version"],
        stdout=subprocess.PIPE,
        check=True,
        text=True,
    )
    return f"{clang.stdout.splitlines()[0]}, glibc {os.confstr('CS_GNU_LIBC_VERSION').split()[-1]}"


def command(homi: pathlib.Path, program: str, output: pathlib.Path) -> list:
    """A run that is the same everywhere."""
    line = [homi, "run", "--quiet", "--output-dir", output, "--seed", 1, "--threads", 1]
    line += ["--fuzz", "off", "--max-instructions", BUDGET, subjects.needed_bitcode(program)]
    return [*line, "--", *subjects.all_args(program)]


def explored(homi: pathlib.Path, program: str, place: pathlib.Path) -> dict:
    """The run's summary."""
    output = place / program
    done = engines.measured(command(homi, program, output), place)
    summary = engines.summary(output)
    if done.status != 0 or summary is None:
        raise SystemExit(f"{program}: {engines.last_line(done.text, f'status {done.status}')}")
    return summary


def units(summary: dict) -> dict[str, int]:
    """What no machine changes."""
    return {
        "work": summary["work"],
        "queries": summary["solver"]["queries"],
        "paths": summary["paths"]["completed"],
        "states": summary["states_peak"],
        "terms_bytes": summary["memory"]["terms_bytes"],
    }


def differences(row: dict[str, dict], base: dict[str, dict]) -> list[str]:
    """Each figure that is another."""
    return [
        f"{program}: {figures[name]} {name}, {base.get(program, {}).get(name)} stored"
        for program, figures in row.items()
        for name in figures
        if figures[name] != base.get(program, {}).get(name)
    ]


def compared(homi: pathlib.Path, is_written: bool) -> int:
    """Compares the runs with the stored row, or stores them."""
    known = json.loads(ROW.read_text()) if ROW.exists() else {}
    here = toolchain()
    if not is_written and known.get("toolchain") != here:
        print(f"not compared: {ROW.name} is of {known.get('toolchain')}, this machine has {here}")
        return 0
    with tempfile.TemporaryDirectory() as folder:
        place = pathlib.Path(folder)
        row = {program: units(explored(homi, program, place)) for program in PROGRAMS}
    if is_written:
        fresh = {"toolchain": here, "instructions": BUDGET, "programs": row}
        ROW.write_text(json.dumps(fresh, indent=1) + "\n")
        return 0
    found = differences(row, known["programs"])
    print("\n".join(found or [f"{len(row)} runs take the work that {ROW.name} says"]))
    if found:
        print("If that is meant, commit the new row: benchmarks/bench creep --write")
    return int(bool(found))


def built(commit: str) -> pathlib.Path:
    """The homi of a commit, in a work tree of its own."""
    tree = ROOT / ".deps/creep/tree"
    git = ["git", "-C", ROOT, "worktree"]
    subprocess.run([*git, "remove", "--force", tree], stderr=subprocess.DEVNULL, check=False)
    subprocess.run([*git, "add", "--quiet", "--detach", "--force", tree, commit], check=True)
    (tree / ".deps").symlink_to(ROOT / ".deps")
    target = ROOT / ".deps/creep/target"
    line = ["cargo", "build", "--release", "--bin", "homi", "--target-dir", target]
    subprocess.run(line, cwd=tree, check=True)
    return target / "release/homi"


def starter(place: pathlib.Path) -> pathlib.Path:
    """The library that lets homi start itself under callgrind."""
    library = place / "start.so"
    subprocess.run(["cc", "-shared", "-fPIC", "-w", "-o", library, STARTER, "-ldl"], check=True)
    return library


def counted(homi: pathlib.Path, program: str, place: pathlib.Path) -> tuple[int, float]:
    """Instructions of the processor of a run, and bytes per state at its end."""
    state_bytes = _bytes_per_state(explored(homi, program, place))
    line = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null"]
    line += command(homi, program, place / f"{program}-counted")
    environment = os.environ | {"LD_PRELOAD": str(starter(place)), "HOMI_FILE": str(homi)}
    done = subprocess.run(
        [str(word) for word in line],
        env=environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=False,
    )
    found = re.search(rb"Collected : (\d+)", done.stderr)
    if done.returncode != 0 or found is None:
        raise SystemExit(f"{program} under callgrind: {done.stderr.decode(errors='replace')}")
    return int(found[1]), state_bytes


def _bytes_per_state(summary: dict) -> float:
    return summary["memory"]["states_bytes"] / max(1, summary["states_peak"])


def beside_base(homi: pathlib.Path, commit: str) -> int:
    """Compares with a commit's homi."""
    engines.needed_tool("valgrind", "apt-get install valgrind")
    base = built(commit)
    lines = tables.header(["program", "instructions", "bytes per state"], numbers=True)
    ratios: list[tuple[float, float]] = []
    for program in PROGRAMS:
        with tempfile.TemporaryDirectory() as now, tempfile.TemporaryDirectory() as before:
            one = counted(homi, program, pathlib.Path(now))
            other = counted(base, program, pathlib.Path(before))
        ratios.append((one[0] / other[0], one[1] / max(1, other[1])))
        lines.append(tables.row([program, *(f"{ratio:.3f}" for ratio in ratios[-1])]))
    means = [tables.geometric_mean(column) for column in zip(*ratios, strict=True)]
    lines.append(tables.row(["all", *(f"{mean:.3f}" for mean in means)]))
    print("\n".join(lines))
    return int(max(means) > LIMIT)


def run(arguments: argparse.Namespace) -> int:
    """Compares; 1 if something crept."""
    homi = engines.needed(arguments.homi)
    if arguments.base:
        return beside_base(homi, arguments.base)
    return compared(homi, arguments.write)
