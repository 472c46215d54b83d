"""The command line: one sub-command per study kind, a module with `add_arguments` and `run`.

A module's docstring is its help: the first line in the list of sub-commands, the whole of it in its
own `--help`. `add_arguments(parser)` adds its options; `run(arguments)` returns the exit status, 0 if
nothing is wrong.
"""

import argparse
import types

from homibench import (
    branch_traces,
    calls,
    clang_vs_gcc_branches,
    concrete_speed,
    creep,
    csmith,
    differential,
    exact_coverage,
    fuzz,
    gate,
    jobs,
    llvm_versions,
    matrix,
    paths,
    pointers,
    programs,
    results,
    same,
    solver,
    solver_fuzz,
    subsumption,
    subsumption_drivers,
    subsumption_paths,
    surface,
    verdicts,
)

STUDIES: dict[str, types.ModuleType] = {
    "paths": paths,
    "concrete-speed": concrete_speed,
    "jobs": jobs,
    "solver": solver,
    "solver-fuzz": solver_fuzz,
    "csmith": csmith,
    "calls": calls,
    "differential": differential,
    "pointers": pointers,
    "subsumption": subsumption,
    "subsumption-paths": subsumption_paths,
    "subsumption-drivers": subsumption_drivers,
    "matrix": matrix,
    "llvm-versions": llvm_versions,
    "surface": surface,
    "verdicts": verdicts,
    "exact-coverage": exact_coverage,
    "clang-vs-gcc-branches": clang_vs_gcc_branches,
    "branch-traces": branch_traces,
    "programs": programs,
    "fuzz": fuzz,
    "gate": gate,
    "creep": creep,
    "same": same,
    "results": results,
}


def parser_of_all() -> argparse.ArgumentParser:
    """The parser with every sub-command."""
    text = "Measurements of homi, comparisons, and their tables."
    parser = argparse.ArgumentParser(prog="benchmarks/bench", description=text)
    commands = parser.add_subparsers(dest="kind", required=True, metavar="KIND")
    for name, module in STUDIES.items():
        help_text = module.__doc__ or ""
        command = commands.add_parser(
            name,
            help=help_text.partition("\n")[0].rstrip("."),
            description=help_text,
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        module.add_arguments(command)
        command.set_defaults(run=module.run)
    return parser


def main() -> int:
    """Runs what the command line names."""
    arguments = parser_of_all().parse_args()
    return arguments.run(arguments)
