"""A corpus of real queries through each layer of homi's solver, and through other solvers.

Replays benchmarks/solver-corpus through each layer, through the whole chain and through Z3 alone,
and gives it to other SMT solvers where they are on PATH.

  benchmarks/bench solver             print the tables
  benchmarks/bench solver --record    make the corpus anew from runs of coreutils

Other solvers get each file whole: one process, questions separated by (reset). Times are processor
times; theirs include reading the text and the start of the process.

Status 1 if layers or solvers disagree. Needs: cargo; for --record scripts/setup subjects.
"""

import argparse
import os
import pathlib
import resource
import shutil
import subprocess
import sys
import tempfile

from homibench import engines, studies, subjects, tables
from homibench.places import BENCHMARKS, ROOT

CORPUS = BENCHMARKS / "solver-corpus"
# Number of stored queries per program, by the answering layer, and the length of the longest.
KEPT = {"model": 3, "domain": 5, "bounds": 10, "guided": 10, "cache": 6, "search": 14, "smt": 16}
LONGEST = 9000
OTHERS = {
    "bitwuzla": ["bitwuzla"],
    "boolector": ["boolector", "--smt2", "-i"],
    "cvc5": ["cvc5", "--incremental"],
    "stp": ["stp", "--SMTLIB2"],
    "yices-smt2": ["yices-smt2"],
    "z3": ["z3", "-smt2"],
}
ANSWERS = ("sat", "unsat", "unknown")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the command-line arguments."""
    add = parser.add_argument
    add("--record", action="store_true", help="make the corpus anew")
    add("--seconds", type=int, default=20, help="length of each recording run (default 20)")
    add("--cargo-profile", default="release", help="of the replaying tool (default release)")
    engines.add_homi(parser)
    studies.add_study(parser)


def scripts(text: str) -> list[str]:
    """The questions of a file."""
    return ["(reset)\n" + part for part in text.split("(reset)\n") if part.strip()]


def layer_of(script: str) -> str:
    """The layer that answered a question when it was recorded."""
    return script.split("(set-info :layer ", 1)[1].split(")", 1)[0]


def spread(items: list[str], count: int) -> list[str]:
    """So many of the items, evenly spread."""
    if len(items) <= count:
        return items
    return [items[position * len(items) // count] for position in range(count)]


def record(homi: pathlib.Path, seconds: int) -> None:
    """Makes the corpus anew."""
    CORPUS.mkdir(exist_ok=True)
    for program in subjects.programs("solver"):
        bitcode = subjects.needed_bitcode(program)
        with tempfile.TemporaryDirectory() as directory:
            file = pathlib.Path(directory) / "questions.smt2"
            command = [homi, "run", bitcode, "--quiet", "--max-time", f"{seconds}s"]
            command += ["--write-queries", file, "--output-dir", pathlib.Path(directory) / "out"]
            command += ["--", *subjects.arguments("usual")]
            subprocess.run(command, check=True, stdin=subprocess.DEVNULL, cwd=directory)
            found = [one for one in scripts(file.read_text()) if len(one) <= LONGEST]
        answered = [one for one in found if "status unknown" not in one]
        kept = []
        for layer, count in KEPT.items():
            kept += spread([one for one in answered if layer_of(one) == layer], count)
        (CORPUS / f"{program}.smt2").write_text("".join(kept))
        size = sum(map(len, kept)) // 1024
        print(f"{program}: {len(kept)} of {len(found)} questions, {size} KiB")


def child_seconds() -> float:
    """Processor time of child processes that have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def expected_answers(file: pathlib.Path) -> list[str]:
    """The recorded answers of a file."""
    lines = file.read_text().splitlines()
    wanted = (line for line in lines if line.startswith("(set-info :status "))
    return [line.split()[2].rstrip(")") for line in wanted]


def other(name: str, command: list[str], files: list[pathlib.Path]) -> str:
    """Another solver's line."""
    said = subprocess.run([command[0], "--version"], capture_output=True, text=True, check=False)
    version = (said.stdout.strip().splitlines() or ["?"])[0]
    total, answers, wrong = 0.0, 0, 0
    for file in files:
        start = child_seconds()
        done = subprocess.run([*command, file], capture_output=True, text=True, check=False)
        total += child_seconds() - start
        found = [one for one in done.stdout.split() if one in ANSWERS]
        expected = expected_answers(file)
        answers += sum(one != "unknown" for one in found)
        if len(found) == len(expected):
            pairs = zip(found, expected)
            wrong += sum(a != b for a, b in pairs if "unknown" not in (a, b))
    return tables.row([f"{name} ({version})", answers, f"{total * 1000:.0f}", wrong])


def others() -> list[str]:
    """The table of other solvers; nothing if there is none."""
    there = {name: args for name, args in OTHERS.items() if shutil.which(args[0])}
    if not there:
        return []
    titles = ["other solver, whole files", "answered", "ms with reading and start", "wrong"]
    files = sorted(CORPUS.glob("*.smt2"))
    rows = [other(name, args, files) for name, args in there.items()]
    return ["", *tables.header(titles), *rows]


def run(arguments: argparse.Namespace) -> int:
    """Replays the corpus, or records it."""
    if arguments.record:
        record(engines.needed(arguments.homi), arguments.seconds)
        return 0
    studies.check(arguments)
    profile = ["--profile", arguments.cargo_profile]
    build = ["cargo", "build", *profile, "--quiet", "--example", "solver_replay"]
    subprocess.run(build, cwd=ROOT, check=True)
    target = pathlib.Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
    tool = ROOT / target / arguments.cargo_profile / "examples/solver_replay"
    files = sorted(str(file.relative_to(ROOT)) for file in CORPUS.glob("*.smt2"))
    replay = subprocess.run([tool, *files], cwd=ROOT, capture_output=True, text=True, check=False)
    sys.stderr.write(replay.stderr)
    lines = [*replay.stdout.rstrip().splitlines(), *others()]
    print("\n".join(lines))
    if replay.returncode:
        print("layers or solvers disagree", file=sys.stderr)
        return 1
    facts = [
        "times: processor time of one pass, in which each way sees every question once",
        "`z3`: homi's back end on what is left after independence and one-byte domains; "
        "`z3 alone`: on the plain assertions",
    ]
    question = "How many queries does each solver layer answer on real programs, and how fast?"
    studies.write(arguments, question, "solver", facts, lines)
    return 0
