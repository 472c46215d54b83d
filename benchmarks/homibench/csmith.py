"""Random C programs of Csmith in homi and natively: their checksums must be equal.

Program N is csmith's with seed N, compiled by clang at -O0, -O1, -O2 or -O3 in turn; the same
bitcode runs in homi and, made an executable, on the processor. One line per program goes to a file,
from which a later call goes on; at the end a table by level is printed. Programs that natively need
more than --native-limit seconds of processor time (most of them never end) are skipped and counted.

  benchmarks/bench csmith -n 100                          the first hundred
  benchmarks/bench csmith -n 3000 --study csmith          3,000, as a study
  benchmarks/bench csmith -n 300 --varied                 with options that its default leaves out

Status 1 if a checksum differs, a path ends in a bug, or a program that homi was given did not end
in time. Needs: apt-get install csmith libcsmith-dev; clang-19; cargo build --release;
scripts/setup runtime.
"""

import argparse
import collections
import concurrent.futures
import json
import os
import pathlib
import resource
import shutil
import subprocess
import tempfile
import threading
import typing

from homibench import engines, studies, tables
from homibench.places import ROOT

LEVELS = ["-O0", "-O1", "-O2", "-O3"]
# Features that csmith's default omits or limits. The digits of a seed in base 2, except the two of
# the level, select the features of its program.
VARIED = [
    "--float",
    "--builtins",
    "--max-struct-fields 20 --max-union-fields 10",
    "--max-pointer-depth 4 --max-array-dim 4",
    "--max-expr-complexity 20",
]
# Some builtin functions need CPUs with these extensions.
VARIED_TARGET = "-msse4.2 -mbmi -mbmi2 -mpopcnt -mlzcnt -mavx2 -mf16c -mfma".split()
OUTCOMES = ["same", "mismatch", "unsupported", "bug", "timeout", "failed", "skipped"]
FINE = {"same", "skipped"}
# Unsupported: a path that ended at an unsupported feature: homi counts and lists it, and computes
# nothing wrong.
PASSED = FINE | {"unsupported"}
TITLES = ["level", "programs", "same checksum", "mismatch", "unsupported", "bug", "time-out"]
TITLES += ["failed", "skipped"]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the command-line arguments."""
    add = parser.add_argument
    add("-n", "--count", type=int, default=100, help="programs (default 100)")
    add("--first", type=int, default=1, help="seed of the first program (default 1)")
    add("--clang", default="clang-19", help="default clang-19")
    add("--varied", action="store_true", help="csmith's options outside of its default, by seed")
    add("--native-limit", type=int, default=1, help="processor seconds (default 1)")
    add("--limit", type=int, default=300, help="seconds of a program in homi (default 300)")
    add("--jobs", type=int, default=1)
    log = ROOT / "target/csmith.jsonl"
    add("--log", type=pathlib.Path, default=log, help="outcomes (default target/csmith.jsonl)")
    add("--fresh", action="store_true", help="forget the outcomes that the log has")
    add("--keep", type=pathlib.Path, help="copy sources whose outcome is not the same here")
    engines.add_homi(parser)
    studies.add_study(parser)


def include_directory() -> str:
    """Where csmith's headers are."""
    for directory in ("/usr/include/csmith", "/usr/include/csmith-2.3.0"):
        if shutil.which("csmith") and os.path.exists(f"{directory}/csmith.h"):
            return directory
    raise SystemExit("csmith is missing: apt-get install csmith libcsmith-dev")


def native_output(executable: pathlib.Path, seconds: int) -> str | None:
    """Standard output, or none if it takes too long (a wall limit too, should it ever wait)."""

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))

    options = {"preexec_fn": limit, "timeout": 60 * seconds, "check": False}
    try:
        done = subprocess.run([executable], capture_output=True, **options)
    except subprocess.TimeoutExpired:
        return None
    return done.stdout.decode(errors="replace").strip() if done.returncode == 0 else None


def homi_outcome(
    arguments: argparse.Namespace, bitcode: pathlib.Path, directory: pathlib.Path, expected: str
) -> dict:
    """What homi makes of a program that natively prints what is expected."""
    out = directory / "out"
    command = [arguments.homi, "run", "--quiet", "--input-layouts", "off"]
    command += ["--max-time", f"{arguments.limit}s"]
    options = {"stdin": subprocess.DEVNULL, "timeout": 4 * arguments.limit, "check": False}
    command += ["--output-dir", out, bitcode]
    try:
        done = subprocess.run(command, cwd=directory, capture_output=True, **options)
    except subprocess.TimeoutExpired:
        return {"outcome": "timeout"}
    summary = engines.summary(out)
    if summary is None:
        return {"outcome": "failed", "why": done.stderr.decode(errors="replace")[-500:]}
    result = {"instructions": summary.get("instructions")}
    if summary["unsupported"]:
        return result | {"outcome": "unsupported", "why": summary["unsupported"]}
    if summary["errors"]:
        return result | {"outcome": "bug", "why": summary["errors"]}
    if list(summary["exit_statuses"]) != ["0"]:
        return result | {"outcome": "timeout"}
    said = (out / "stdout.txt").read_text(errors="replace").strip()
    if said == expected:
        return result | {"outcome": "same"}
    return result | {"outcome": "mismatch", "why": f"{said} for {expected}"}


def generator_options(varied: bool, seed: int) -> list[str]:
    """csmith's options for a seed; the level changes first, the set of options after it."""
    if not varied:
        return []
    chosen = seed // len(LEVELS)
    options = [one for bit, one in enumerate(VARIED) if chosen >> bit & 1]
    return " ".join(options).split()


def judge(arguments: argparse.Namespace, include: str, seed: int) -> dict:
    """Generates, compiles and compares one program."""
    level = LEVELS[seed % len(LEVELS)]
    options = generator_options(arguments.varied, seed)
    with tempfile.TemporaryDirectory() as name:
        directory = pathlib.Path(name)
        source, bitcode = directory / f"seed{seed}.c", directory / f"seed{seed}.bc"
        executable = directory / f"seed{seed}"
        generate = ["csmith", "--seed", str(seed), *options, "--output", source]
        subprocess.run(generate, check=True, cwd=directory, capture_output=True)
        common = [arguments.clang, "-w", level, *(VARIED_TARGET if arguments.varied else [])]
        include_words = ["-I", include, "-emit-llvm", "-c"]
        subprocess.run([*common, *include_words, source, "-o", bitcode], check=True)
        # Passes that ran once run no second time: they can end loops that the bitcode, as homi
        # reads it, goes through.
        once = ["-Xclang", "-disable-llvm-passes", bitcode, "-o", executable]
        subprocess.run([*common, *once], check=True)
        expected = native_output(executable, arguments.native_limit)
        result: dict[str, typing.Any] = {"outcome": "skipped"}
        if expected is not None:
            result = homi_outcome(arguments, bitcode, directory, expected)
        if arguments.keep and result["outcome"] not in FINE:
            arguments.keep.mkdir(parents=True, exist_ok=True)
            shutil.copy(source, arguments.keep)
    return {"seed": seed, "level": level, "options": options} | result


def table(results: list[dict]) -> list[str]:
    """Outcomes by level, and what was not the same."""
    counts: dict[str, collections.Counter] = collections.defaultdict(collections.Counter)
    for result in results:
        counts[result["level"]][result["outcome"]] += 1
    rows = tables.header(TITLES, numbers=True)
    everything = sum(counts.values(), collections.Counter())
    for name, count in [*sorted(counts.items()), ("all", everything)]:
        rows.append(tables.row([name, sum(count.values()), *(count[one] for one in OUTCOMES)]))
    total = sum(result.get("instructions") or 0 for result in results)
    rows += ["", f"{total:,} instructions of homi's in all."]
    odd = [result for result in results if result["outcome"] not in FINE]
    for result in odd:
        shown = " ".join([result["level"], *result.get("options", [])])
        line = f"- seed {result['seed']} {shown}: {result['outcome']} {result.get('why', '')}"
        rows.append(line.rstrip())
    return rows


def known_outcomes(arguments: argparse.Namespace, wanted: range) -> dict[int, dict]:
    """The outcomes that the log has."""
    if arguments.fresh or not arguments.log.exists():
        return {}
    lines = [json.loads(line) for line in arguments.log.read_text().splitlines()]
    return {line["seed"]: line for line in lines if line["seed"] in wanted}


def judge_all(arguments: argparse.Namespace, wanted: range) -> list[dict]:
    """The outcomes of all programs; new ones are added to the log."""
    include, lock = include_directory(), threading.Lock()
    known = known_outcomes(arguments, wanted)
    arguments.log.parent.mkdir(parents=True, exist_ok=True)
    with arguments.log.open("w" if arguments.fresh else "a") as log:

        def one(seed: int) -> None:
            result = judge(arguments, include, seed)
            with lock:
                log.write(json.dumps(result) + "\n")
                log.flush()
                known[seed] = result
                if result["outcome"] not in FINE:
                    print(json.dumps(result), flush=True)

        with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
            list(pool.map(one, [seed for seed in wanted if seed not in known]))
    return [known[seed] for seed in wanted]


def run(arguments: argparse.Namespace) -> int:
    """Judges all programs and prints the table."""
    studies.check(arguments)
    arguments.homi = engines.needed(arguments.homi)
    wanted = range(arguments.first, arguments.first + arguments.count)
    results = judge_all(arguments, wanted)
    lines = table(results)
    print("\n".join(lines))
    said = subprocess.run(["csmith", "--version"], capture_output=True, text=True, check=False)
    varied = ", options varied" if arguments.varied else ""
    facts = [
        f"csmith: {said.stdout.splitlines()[0]}{varied}; {arguments.clang}",
        f"seeds: {wanted[0]} to {wanted[-1]}",
        f"limits: {arguments.native_limit} s natively, {arguments.limit} s in homi",
    ]
    question = "Do random C programs compute the same in homi and on the CPU?"
    studies.write(arguments, question, "correctness", facts, lines)
    return int(any(result["outcome"] not in PASSED for result in results))
