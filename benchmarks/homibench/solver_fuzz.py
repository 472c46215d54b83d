"""Every layer of the solver against Z3 on random queries.

  benchmarks/bench solver-fuzz            3200 paths of each of two kinds, about 100,000 questions,
                                          and 25,000 about floating point
  benchmarks/bench solver-fuzz --paths 50

Prints how many were asked; a disagreement fails. Needs: cargo.
"""

import argparse
import os
import subprocess

from homibench import studies
from homibench.places import ROOT

TESTS = ("solver::fuzz::no_layer", "solver::fuzz::floating")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the command-line arguments."""
    parser.add_argument("--paths", type=int, default=3200, help="of each kind (default 3200)")
    parser.add_argument("--cargo-profile", default="release", help="default release")
    studies.add_study(parser)


def run(arguments: argparse.Namespace) -> int:
    """Runs both tests and keeps what they count."""
    studies.check(arguments)
    environment = os.environ | {"HOMI_FUZZ_PATHS": str(arguments.paths)}
    said = []
    for test in TESTS:
        command = ["cargo", "test", "-p", "homi-solver", "--profile", arguments.cargo_profile]
        command += ["--lib", test, "--", "--nocapture"]
        options = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "text": True}
        done = subprocess.run(command, cwd=ROOT, env=environment, check=False, **options)
        print(done.stdout, end="", flush=True)
        if done.returncode:
            return 1
        counts = [line for line in done.stdout.splitlines() if "queries" in line]
        said += [f"- `{test}`: {line}" for line in counts]
    question = "Does any layer of the solver disagree with Z3 on random queries?"
    facts = [f"budget: {arguments.paths} paths of each kind; seeds fixed in src/solver/random_tests.rs"]
    studies.write(arguments, question, "solver", facts, said)
    return 0
