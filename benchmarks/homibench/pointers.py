"""Random C programs with pointers that input chooses: homi must find each native outcome.

Program N is `pointer_programs`' with seed N. Natively it runs on each of its inputs, one child
process per input; homi follows all paths of it. Both must have the same outcomes, an exit status or
a signal where homi has a bug of a kind that ends so, and each of homi's tests must end natively as
homi says. One line per program goes to a file, from which a later call goes on.

  benchmarks/bench pointers -n 50                         the first fifty
  benchmarks/bench pointers -n 2000 --study pointers      2,000, as a study
  benchmarks/bench pointers -n 2000 --keep DIRECTORY      sources that differ are kept

Status 1 if an outcome was lost without homi saying that it took one value for several, if homi
said of a test what is not so, or if homi concretized in more than 2 % of the programs. Needs: clang-19;
cargo build --release; scripts/setup runtime.
"""

import argparse
import collections
import concurrent.futures
import json
import pathlib
import random
import shlex
import subprocess
import tempfile
import threading

from homibench import engines, ktest, pointer_programs, studies, tables
from homibench.places import ROOT

# Signals that a bug of a kind ends with natively.
SIGNALS = {
    "ptr": {-11, -7},
    "stack": {-11, -7},
    "read_only": {-11},
    "free": {-6, -11},
    "div": {-8},
    "overflow": {-8},
    "assert": {-6},
    "abort": {-6},
    "exec": {-11, -4},
}
OUTCOMES = ["same", "underapproximations", "late", "lost", "wrong", "failed"]
TITLES = ["level", "programs", "same outcomes", "underapproximations", "out of time", "lost in silence"]
TITLES += ["wrong tests", "failed"]
# Largest ratio of programs with under-approximations.
MOST_NARROWED = 0.02


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the command-line arguments."""
    add = parser.add_argument
    add("-n", "--count", type=int, default=50, help="programs (default 50)")
    add("--first", type=int, default=1, help="seed of the first program (default 1)")
    add("--clang", default="clang-19", help="default clang-19")
    add("--limit", type=int, default=60, help="processor seconds of a program in homi (default 60)")
    add("--jobs", type=int, default=1)
    log = ROOT / "target/pointers.jsonl"
    add("--log", type=pathlib.Path, default=log, help="outcomes (default target/pointers.jsonl)")
    add("--fresh", action="store_true", help="forget the outcomes that the log has")
    add("--options", default="", help="further options of homi run, such as `--fork lazy`")
    add("--keep", type=pathlib.Path, help="copy what is not the same here")
    engines.add_homi(parser)
    studies.add_study(parser)


def level_of(seed: int) -> str:
    """The optimisation level of a program; half are not optimised."""
    return random.Random(seed + 1).choice(["-O0", "-O0", "-O1", "-O2"])


def compiled(
    program: pointer_programs.Program, clang: str, directory: pathlib.Path, seed: int
) -> tuple[pathlib.Path, list[pathlib.Path]]:
    """The native executable and the bitcode files of a program."""
    source, harness, main = (directory / f"{name}.c" for name in ("program", "native", "main"))
    source.write_text(program.text())
    bits = f"#define BITS {program.bits}\n"
    harness.write_text(bits + pointer_programs.NATIVE)
    main.write_text(bits + pointer_programs.SYMBOLIC)
    common = [clang, "-w", "-fno-strict-aliasing", "-fno-delete-null-pointer-checks"]
    plain, level = ["-Xclang", "-disable-O0-optnone", "-O0"], level_of(seed)
    parts = []
    for part, flags in ((source, plain if level == "-O0" else [level]), (main, plain)):
        parts.append(part.with_suffix(".bc"))
        emit = ["-g", "-c", "-emit-llvm", part, "-o", parts[-1]]
        subprocess.run([*common, *flags, *emit], check=True)
    # From the same bitcode: what the optimiser removes, such as a load that nothing uses and that
    # would fault, is gone from both.
    executable = directory / "native.exe"
    build = ["-O0", "-static", parts[0], harness, "-o", executable]
    subprocess.run([*common, *build], check=True)
    return executable, parts


def ended_as(path: pathlib.Path) -> str | None:
    """The kind of bug that homi says a test ends in, or `early`; none if it exits."""
    kinds = ktest.kinds_of_files(path)
    ends = [kind for kind in kinds if kind.endswith(".err") or kind == "early"]
    return ends[0].removesuffix(".err") if ends else None


def explored(
    arguments: argparse.Namespace, parts: list[pathlib.Path], size: int, out: pathlib.Path
) -> tuple[dict | None, str]:
    """The summary of a run over all paths, and what homi said."""
    command = [arguments.homi, "run", *parts, "--quiet", "--all-tests", "--emit-all-errors"]
    command += shlex.split(arguments.options)
    command += ["--clock", "cpu", "--max-time", f"{arguments.limit}s", "--output-dir", out]
    command += ["--", "--sym-stdin", str(size)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return engines.summary(out), f"status {done.returncode}: {done.stderr[-300:]}"


def wrong_tests(out: pathlib.Path, native: dict[bytes, int], exits: dict[str, int]) -> list[str]:
    """What homi says of its tests that natively is not so. `native` has the outcome by input."""
    wrong: list[str] = []
    counted: collections.Counter = collections.Counter()
    for path in sorted(out.glob("*.ktest")):
        given = ktest.objects(path)["stdin"]
        outcome, end = native[given], ended_as(path)
        if end == "early":
            continue
        if end is None:
            counted[str(outcome)] += 1
        if end is None and outcome < 0:
            wrong.append(f"{path.stem}: no bug, natively signal {-outcome} ({given.hex()})")
        elif end is not None and outcome not in SIGNALS.get(end, set()):
            wrong.append(f"{path.stem}: {end}, natively {outcome} ({given.hex()})")
    if not wrong and dict(counted) != exits:
        wrong.append(f"exits {exits}, natively {dict(counted)}")
    return wrong


def judged(arguments: argparse.Namespace, seed: int, directory: pathlib.Path) -> dict:
    """What homi's answers to one program are worth."""
    program = pointer_programs.Program(seed)
    executable, parts = compiled(program, arguments.clang, directory, seed)
    said = subprocess.run([executable], capture_output=True, text=True, check=True).stdout.split()
    size = 2 if program.bits > 8 else 1
    # Inputs above the program's bits end alike.
    native = {k.to_bytes(size, "little"): 249 for k in range(256**size)}
    native |= {k.to_bytes(size, "little"): int(one) for k, one in enumerate(said)}
    out = directory / "out"
    summary, error = explored(arguments, parts, size, out)
    if summary is None:
        return {"outcome": "failed", "why": error}
    found = {native[ktest.objects(path)["stdin"]] for path in out.glob("*.ktest")}
    lost = {end: key.hex() for key, end in reversed(native.items()) if end not in found}
    wrong = wrong_tests(out, native, summary["exit_statuses"])
    reason = summary["stop_reason"]
    result = {"tests": summary["tests"], "underapproximations": summary.get("underapproximations", [])}
    if wrong:
        return result | {"outcome": "wrong", "why": wrong[:5]}
    if reason == "max-time":
        return result | {"outcome": "late"}
    if reason != "exhausted":
        return result | {"outcome": "underapproximations", "why": f"{reason}, lost {lost}"}
    if lost:
        return result | {"outcome": "lost", "why": f"inputs by outcome: {lost}"}
    return result | {"outcome": "same"}


def judge(arguments: argparse.Namespace, seed: int) -> dict:
    """The line of one program."""
    with tempfile.TemporaryDirectory() as name:
        directory = pathlib.Path(name)
        result = judged(arguments, seed, directory)
        if arguments.keep and result["outcome"] != "same":
            kept = arguments.keep / str(seed)
            kept.mkdir(parents=True, exist_ok=True)
            for part in [*directory.glob("*.c"), *directory.glob("*.bc")]:
                (kept / part.name).write_bytes(part.read_bytes())
    return {"seed": seed, "level": level_of(seed)} | result


def judge_all(arguments: argparse.Namespace, wanted: range) -> list[dict]:
    """The lines of all programs; new ones are added to the log."""
    known: dict[int, dict] = {}
    if arguments.log.exists() and not arguments.fresh:
        lines = [json.loads(line) for line in arguments.log.read_text().splitlines()]
        known = {line["seed"]: line for line in lines if line["seed"] in wanted}
    arguments.log.parent.mkdir(parents=True, exist_ok=True)
    lock = threading.Lock()
    with arguments.log.open("w" if arguments.fresh else "a") as log:

        def one(seed: int) -> None:
            result = judge(arguments, seed)
            with lock:
                log.write(json.dumps(result) + "\n")
                log.flush()
                known[seed] = result
                if result["outcome"] != "same":
                    print(json.dumps(result), flush=True)

        with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
            list(pool.map(one, [seed for seed in wanted if seed not in known]))
    return [known[seed] for seed in wanted]


def table(results: list[dict]) -> list[str]:
    """Outcomes by level, and what was not the same."""
    counts: dict[str, collections.Counter] = collections.defaultdict(collections.Counter)
    for result in results:
        counts[result["level"]][result["outcome"]] += 1
    everything = sum(counts.values(), collections.Counter())
    rows = tables.header(TITLES, numbers=True)
    for name, count in [*sorted(counts.items()), ("all", everything)]:
        rows.append(tables.row([name, sum(count.values()), *(count[one] for one in OUTCOMES)]))
    rows += ["", f"{sum(result.get('tests', 0) for result in results):,} tests in all."]
    odd = [result for result in results if result["outcome"] != "same"]
    rows += [
        f"- seed {result['seed']} {result['level']}: {result['outcome']} {result.get('why', '')}"
        for result in odd
    ]
    return rows


def run(arguments: argparse.Namespace) -> int:
    """Judges all programs and prints the table."""
    studies.check(arguments)
    arguments.homi = engines.needed(arguments.homi)
    wanted = range(arguments.first, arguments.first + arguments.count)
    results = judge_all(arguments, wanted)
    lines = table(results)
    print("\n".join(lines))
    facts = [f"seeds: {wanted[0]} to {wanted[-1]}", f"limit: {arguments.limit} processor seconds"]
    if arguments.options:
        facts.append(f"options: `{arguments.options}`")
    question = "Does homi find all outcomes of random programs with input-dependent pointers?"
    studies.write(arguments, question, "correctness", facts, lines)
    count = collections.Counter(result["outcome"] for result in results)
    too_narrow = count["underapproximations"] + count["late"] > MOST_NARROWED * len(results)
    return int(too_narrow or any(count[one] for one in ("lost", "wrong", "failed")))
