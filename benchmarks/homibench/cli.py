"""The command line: one sub-command per study kind, each a module with `add_arguments(parser)` and `run(arguments)`.

A module's docstring is its help: the first line in the list of sub-commands, the whole of it in its own `--help`. `run`
returns the exit status, 0 if nothing is wrong.
"""

import argparse
import types

from homibench import same

STUDIES: dict[str, types.ModuleType] = {
    "same": same,
}


def parser_of_all() -> argparse.ArgumentParser:
    """The parser with every sub-command."""
    parser = argparse.ArgumentParser(prog="benchmarks/bench", description="Measurements and comparisons of homi.")
    commands = parser.add_subparsers(dest="study", required=True, metavar="STUDY")
    for name, module in STUDIES.items():
        text = module.__doc__ or ""
        command = commands.add_parser(name, help=text.partition("\n")[0], description=text,
                                      formatter_class=argparse.RawDescriptionHelpFormatter)
        module.add_arguments(command)
        command.set_defaults(run=module.run)
    return parser


def main() -> int:
    """Runs what the command line names."""
    arguments = parser_of_all().parse_args()
    return arguments.run(arguments)
