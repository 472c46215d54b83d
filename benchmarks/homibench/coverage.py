"""Branches of coreutils covered in a given time, next to the best of KLEE's heuristics.

For each tool: `homi run` on its bitcode with the arguments that papers on KLEE use, then
`homi replay --gcov` of its tests on the tool built by `gcc --coverage`. KLEE gets the same bitcode
and time, once with each of the nine heuristics of the Homi paper, and its tests are counted the
same way; homi, once with each search of --search, is compared with whichever of KLEE's was best for
that tool. Runs are one at a time.

  benchmarks/bench coverage --keep CELLS                    all, 60 s each: about 100 minutes
  benchmarks/bench coverage --keep CELLS --klee-time 600    then KLEE's best for 600 s
  benchmarks/bench coverage --keep CELLS --again 0.85       then what got less of a processor
  benchmarks/bench coverage --keep CELLS --table-only       only the tables of what is there
  benchmarks/bench coverage echo wc --search md2u,default --klee-search md2u,default

With --keep a run is a directory, named after all that it depends on, this checkout's commit or
--commit among it; one that is there is not run again.

Needs: HOMI_CLANG=16 scripts/setup subjects (so that KLEE reads the bitcode too);
cargo build --release; KLEE, if it is to be compared.
"""

import argparse
import pathlib
import shutil
import tempfile

from homibench import coverage_cells as cells
from homibench import coverage_tables, engines, provenance, studies, subjects, tables
from homibench.places import COREUTILS


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The command line's words."""
    add = parser.add_argument
    add("tools", nargs="*", help="coreutils programs (default: the paper's nine)")
    add("--time", type=int, default=60, help="seconds per run (default 60)")
    add("--search", default="default", help="homi's, separated by commas; `default` names none")
    nine = ", ".join(engines.KLEE_NINE)
    add("--klee-search", default=",".join(engines.KLEE_NINE), help=f"KLEE's, likewise; of {nine}")
    add("--klee-time", type=int, help="then KLEE's best search of each tool for so many seconds")
    add(
        "--again",
        type=float,
        default=0.0,
        metavar="SHARE",
        help="run again what got a smaller share of a processor; the better run stays",
    )
    add("--seed", type=int, default=1)
    add("--option", action="append", default=[], help="a further option for homi; repeatable")
    add("--commit", help="what --homi was built from (default: this checkout)")
    add("--clang", default="16", help="version of the bitcode (default 16)")
    add("--no-homi", action="store_true", help="run KLEE only; homi's runs that are there stay")
    add("--table-only", action="store_true", help="run nothing")
    add("--core", type=int, help="pin the engines to this processor")
    add("--nice", type=int, default=0, help="priority of the engines (negative ones need root)")
    add("--keep", type=pathlib.Path, help="directory of the runs (default: a temporary one)")
    engines.add_homi(parser)
    engines.add_klee(parser)
    studies.add_study(parser)


def check(arguments: argparse.Namespace) -> None:
    """Ends before anything runs if something is missing."""
    arguments.tools = arguments.tools or subjects.programs("coverage")
    arguments.commit = arguments.commit or provenance.commit()
    if arguments.klee_time == arguments.time:
        raise SystemExit("--klee-time is for a time other than --time")
    if arguments.table_only:
        return
    studies.check(arguments)
    arguments.homi = engines.needed(arguments.homi)
    paths = (f"bc-{arguments.clang}/%s.bc", "gcov/src/%s")
    absent = [t for t in arguments.tools if not all((COREUTILS / (p % t)).exists() for p in paths)]
    if absent:
        remedy = f"HOMI_CLANG={arguments.clang} scripts/setup subjects {' '.join(absent)}"
        raise SystemExit(f"not built yet: {' '.join(absent)}\nremedy: {remedy}")


def setting_of(arguments: argparse.Namespace, directory: pathlib.Path) -> cells.Setting:
    """What all runs share."""
    return cells.Setting(
        homi=arguments.homi.resolve(),
        klee=arguments.klee,
        commit=arguments.commit,
        clang=arguments.clang,
        seed=arguments.seed,
        cells=directory.resolve(),
        options=tuple(arguments.option),
        core=arguments.core,
        nice=arguments.nice,
    )


def plan(arguments: argparse.Namespace) -> list[cells.Cell]:
    """All runs of --time: homi's, then KLEE's search by search, so that all tools get on alike."""
    searches = [("homi", search) for search in arguments.search.split(",")]
    searches += [("klee", search) for search in arguments.klee_search.split(",")]
    pairs = [(tool, engine, search) for engine, search in searches for tool in arguments.tools]
    return [cells.Cell(*pair, arguments.time) for pair in pairs]


def wanted(arguments: argparse.Namespace, engine: str) -> bool:
    """Whether runs of the engine that are not there yet are to be made."""
    if arguments.table_only or (engine == "homi" and arguments.no_homi):
        return False
    return engine == "homi" or bool(arguments.klee and not arguments.no_klee)


def perform(arguments: argparse.Namespace, setting: cells.Setting, cell: cells.Cell) -> dict | None:
    """Runs the cell if that is wanted and prints its row; nothing if it is not there."""
    if not cell.is_run(setting):
        if not wanted(arguments, cell.engine):
            return None
        cells.run(cell, setting, cell.directory(setting))
    result = cells.figures(cell, setting)
    print(coverage_tables.row(result), flush=True)
    return result


def longer(
    arguments: argparse.Namespace, setting: cells.Setting, results: list[dict]
) -> list[dict]:
    """KLEE's best search of each tool for --klee-time, the tool where homi leads least first."""
    found = []
    time = arguments.time
    lead = {tool: coverage_tables.ratio(results, tool, time, time) for tool in arguments.tools}
    for tool in sorted(arguments.tools, key=lead.__getitem__):
        theirs = coverage_tables.best(results, tool, "klee", time)
        if theirs:
            cell = cells.Cell(tool, "klee", theirs["search"], arguments.klee_time)
            found.append(perform(arguments, setting, cell))
    return [result for result in found if result]


def repeat(arguments: argparse.Namespace, setting: cells.Setting, results: list[dict]) -> None:
    """Runs again what got too small a share of a processor; figures in place of the earlier."""
    for index, result in enumerate(results):
        if result["share"] < arguments.again and wanted(arguments, result["engine"]):
            cell = cells.Cell(*(result[name] for name in ("tool", "engine", "search", "seconds")))
            cells.run_again(cell, setting)
            results[index] = cells.figures(cell, setting)
            print(coverage_tables.row(results[index]), flush=True)


def write(arguments: argparse.Namespace, results: list[dict]) -> None:
    """Prints the comparisons and writes the study."""
    lines = []
    times = {result["seconds"] for result in results if result["engine"] == "klee"}
    for seconds in sorted(times):
        lines += coverage_tables.comparison(arguments.tools, results, arguments.time, seconds)
    lines += ["", "All runs:", "", *tables.header(coverage_tables.TITLES)]
    lines += [coverage_tables.row(result) for result in results]
    print("\n".join(lines), flush=True)
    if arguments.table_only:
        return
    question = (
        f"How many branches does homi cover in {arguments.time} s next to KLEE's best search?"
    )
    facts = coverage_tables.facts(arguments, results)
    rows = [cells.study_row(result, arguments.commit) for result in results]
    studies.write(arguments, question, "coverage", facts, lines, rows)


def run(arguments: argparse.Namespace) -> int:
    """Makes the runs that are missing, then the tables."""
    check(arguments)
    directory = arguments.keep or pathlib.Path(tempfile.mkdtemp(prefix="homi-coverage-"))
    directory.mkdir(parents=True, exist_ok=True)
    setting = setting_of(arguments, directory)
    print("\n".join(tables.header(coverage_tables.TITLES)), flush=True)
    try:
        found = [perform(arguments, setting, cell) for cell in plan(arguments)]
        results = [result for result in found if result]
        if arguments.klee_time:
            results += longer(arguments, setting, results)
        repeat(arguments, setting, results)
        write(arguments, results)
    finally:
        if not arguments.keep:
            shutil.rmtree(directory, ignore_errors=True)
    return 0
