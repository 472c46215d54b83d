"""Programs explored completely with and without --subsume: instructions, paths, savings.

Four groups: programs that the method is made for (chains of conditions, sorting, a matcher, a
protocol), five drivers of `driver_programs`, twenty state machines of `machine_programs`, and thirty
programs of textbooks that were not written for it.
Each is built at -O0 without a C library and followed depth first; a run that its budget cuts counts
what it had used. Bugs and covered branches of runs that ended by themselves must be the same.

  benchmarks/bench subsumption-paths --study subsumption-paths        all, as a study
  benchmarks/bench subsumption-paths chain gcd --arm plain=           some, one arm
  benchmarks/bench subsumption-paths --write DIRECTORY                the drivers' sources

An arm is `NAME=OPTIONS`; the first is what the others are compared with. Status 1 if bugs or
branches differ. Needs: clang-19; cargo build --release.
"""

import argparse
import collections
import concurrent.futures
import pathlib
import shlex
import subprocess
import tempfile

from homibench import cells, driver_programs, engines, machine_programs, provenance, studies, tables
from homibench.places import BENCHMARKS, HEADERS

SOURCES = BENCHMARKS / "subsumption-programs"
KEY = (*studies.KEY, "configuration")
ARMS = ["plain=", "core=--subsume --interpolant core", "wp=--subsume --interpolant wp"]
# About 30 s: docs/research/work.md.
BUDGET = "150000000w"


def arm(text: str) -> tuple[str, list[str]]:
    """`NAME=OPTIONS`."""
    name, mark, options = text.partition("=")
    if not mark or not name:
        raise argparse.ArgumentTypeError(f"`{text}` is not NAME=OPTIONS")
    return name, shlex.split(options)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the command-line arguments."""
    add = parser.add_argument
    add("programs", nargs="*", metavar="PROGRAM", help="default: all")
    add("--arm", type=arm, action="append", metavar="NAME=OPTIONS")
    add("--budget", default=BUDGET, help=f"of a run ({BUDGET})")
    add("--search", default="--search dfs", help="options that say the order (--search dfs)")
    add("--jobs", type=int, default=1, help="runs at a time (1)")
    add("--clang", default="clang-19", help="default clang-19")
    add("--write", type=pathlib.Path, help="write the drivers' sources here and end")
    engines.add_homi(parser)
    studies.add_study(parser)


def groups() -> dict[str, dict[str, str]]:
    """The programs' sources by group and name."""
    made = {path.stem: path.read_text() for path in sorted(SOURCES.glob("*.c"))}
    textbook = {path.stem: path.read_text() for path in sorted(SOURCES.glob("textbook/*.c"))}
    drivers = {kind.name: driver_programs.Driver(kind).text() for kind in driver_programs.KINDS}
    machines = {kind.name: machine_programs.text(kind) for kind in machine_programs.KINDS}
    return {
        "made for it": made,
        "drivers": drivers,
        "state machines": machines,
        "textbooks": textbook,
    }


def measured(arguments: argparse.Namespace, source: str, options: list[str]) -> dict[str, object]:
    """The figures of one run."""
    with tempfile.TemporaryDirectory() as name:
        directory = pathlib.Path(name)
        path, bitcode, out = directory / "program.c", directory / "program.bc", directory / "out"
        path.write_text(source)
        flags = ["-O0", "-Xclang", "-disable-O0-optnone", "-g", "-I", HEADERS, "-emit-llvm", "-c"]
        subprocess.run([arguments.clang, *flags, path, "-o", bitcode], check=True)
        command = [arguments.homi, "run", bitcode, "--quiet", "--libc", "none", "--prune", "none"]
        command += ["--fuzz-ratio", "0", "--max-time", arguments.budget, "--output-dir", out]
        command += [*shlex.split(arguments.search), *options]
        done = engines.measured(command, directory)
        summary = engines.summary(out)
        if done.status != 0 or summary is None:
            raise SystemExit(f"{shlex.join(map(str, command))}: {done.text}")
    bugs = {str(error.get("location", error)).rpartition("/")[2] for error in summary["errors"]}
    return {
        "instructions": summary["instructions"],
        "work": round(summary["work"]),
        "paths": sum(summary["paths"].values()),
        "reason": summary["stop_reason"],
        "bugs": sorted(bugs),
        "branches": summary["coverage"]["branches"],
        "cpu_s": round(done.cpu, 2),
        "subsumption": summary.get("subsumption", {}),
    }


def measure_all(
    arguments: argparse.Namespace, rows: cells.Cells, programs: dict[str, str]
) -> dict[str, dict[str, dict]]:
    """The rows by program and arm; those that are missing are made."""
    found: dict[str, dict[str, dict]] = collections.defaultdict(dict)

    def one(program: str, source: str, name: str, options: list[str]) -> None:
        key = {
            "commit": provenance.commit(),
            "machine": provenance.machine(),
            "program": program,
            "mode": shlex.join([*shlex.split(arguments.search), *options]),
            "seed": 0,
            "budget": arguments.budget,
            "configuration": name,
        }
        row = rows.find(**key)
        if row is None:
            row = key | measured(arguments, source, options)
            rows.add(row)
            print(f"{program} {name}: {row['instructions']:,} {row['reason']}", flush=True)
        found[program][name] = row

    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        jobs = [
            pool.submit(one, program, source, name, options)
            for program, source in programs.items()
            for name, options in arguments.arm
        ]
        for job in jobs:
            job.result()
    return found


def differences(arms: dict[str, dict]) -> list[str]:
    """What runs of a program that ended by themselves do not have in common."""
    ended = {name: row for name, row in arms.items() if row["reason"] == "exhausted"}
    wrong = []
    for figure in ("bugs", "branches"):
        if len({str(row[figure]) for row in ended.values()}) > 1:
            wrong.append(f"{figure}: " + ", ".join(f"{n} {r[figure]}" for n, r in ended.items()))
    return wrong


def mark(row: dict) -> str:
    """A run's instructions; those of one that was cut are more."""
    ended = {"exhausted": "", "exhausted-underapproximated": " (narrowed)"}
    return f"{row['instructions']:,}{ended.get(row['reason'], ' +')}"


def table(arguments: argparse.Namespace, found: dict[str, dict[str, dict]]) -> list[str]:
    """A line for each program, with sums of each group."""
    first, *others = [name for name, _ in arguments.arm]
    titles = ["program", "paths", first]
    titles += [title for name in others for title in (name, "subsumed", "ratio", "of time")]
    lines = tables.header(titles, numbers=True)
    for group, programs in groups().items():
        sums: dict[str, list[int]] = collections.defaultdict(list)
        here = [name for name in programs if name in found]
        for program in here:
            arms = found[program]
            base = arms[first]
            line = [program, f"{base['paths']:,}", mark(base)]
            sums[first].append(base["instructions"])
            for name in others:
                row = arms[name]
                sums[name].append(row["instructions"])
                subsumed = row["subsumption"].get("subsumed", "")
                ratio = row["instructions"] / base["instructions"]
                time = row["cpu_s"] / max(base["cpu_s"], 0.01)
                line += [mark(row), subsumed, f"{ratio:.3f}", f"{time:.2f}"]
            lines.append(tables.row(line))
        if sums:
            line = [f"**{group}**", "", f"{sum(sums[first]):,}"]
            for name in others:
                ratio = sum(sums[name]) / sum(sums[first])
                times = [sum(found[p][arm]["cpu_s"] for p in here) for arm in (name, first)]
                each = [n / base for n, base in zip(sums[name], sums[first], strict=True)]
                mean = tables.geometric_mean(each)
                line += [f"{sum(sums[name]):,}", f"mean {mean:.3f}", f"**{ratio:.3f}**"]
                line.append(f"{times[0] / times[1]:.2f}")
            lines.append(tables.row(line))
    lines += ["", "`+`: cut by the budget. `mean`: geometric mean of the ratios of instructions. Time: of the processor."]
    lines += [
        f"- {program}: {name} was cut, {first} was not"
        for program, arms in found.items()
        for name in others
        if arms[name]["reason"] == "max-time" != arms[first]["reason"]
    ]
    odd = {program: differences(arms) for program, arms in found.items()}
    lines += [f"- {program} differs: {'; '.join(wrong)}" for program, wrong in odd.items() if wrong]
    return lines


def run(arguments: argparse.Namespace) -> int:
    """Measures what is missing and prints the table."""
    known = {name: text for group in groups().values() for name, text in group.items()}
    if arguments.write:
        arguments.write.mkdir(parents=True, exist_ok=True)
        for kind in driver_programs.KINDS:
            (arguments.write / f"{kind.name}.c").write_text(known[kind.name])
        return 0
    unknown = sorted(set(arguments.programs) - set(known))
    if unknown:
        raise SystemExit(f"no such program: {' '.join(unknown)}; known: {' '.join(known)}")
    studies.check(arguments)
    arguments.homi = engines.needed(arguments.homi)
    arguments.arm = arguments.arm or [arm(text) for text in ARMS]
    programs = {name: known[name] for name in arguments.programs or known}
    with tempfile.TemporaryDirectory() as name:
        place = studies.folder(arguments.study) if arguments.study else pathlib.Path(name)
        rows = cells.Cells(place / "runs.jsonl", KEY)
        found = measure_all(arguments, rows, programs)
    lines = table(arguments, found)
    print("\n".join(lines))
    facts = [f"budget of a run: `--max-time {arguments.budget}`; order: `{arguments.search}`"]
    facts += [f"{name}: `{shlex.join(options) or 'no option'}`" for name, options in arguments.arm]
    question = "How many instructions does subsumption save?"
    studies.write(arguments, question, "speed", facts, lines)
    return int(any(differences(arms) for arms in found.values()))
