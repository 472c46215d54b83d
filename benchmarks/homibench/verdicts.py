"""Random C programs with verdicts: no native run may contradict what homi says.

Program N is `verdict_programs`' with seed N. Natively it runs on each pair of its two bytes, and
several times where it reads more input, built by gcc at -O0 and -O2, by clang at -O2, and
with sanitizers. homi judges it for one property, also with options that must not change a verdict. One line
per program goes to a file, from which a later call goes on.

  benchmarks/bench verdicts -n 50                        the first fifty
  benchmarks/bench verdicts -n 2000 --study verdicts     2,000, as a study
  benchmarks/bench verdicts -n 2000 --keep DIRECTORY     sources of wrong verdicts are kept

Status 1 if a verdict is TRUE and a native run violates the property, if it is FALSE and no native
run of a program without further input does, or if two options give TRUE and FALSE. Needs: clang-19,
gcc; cargo build --release; scripts/setup runtime.
"""

import argparse
import collections
import concurrent.futures
import json
import os
import pathlib
import re
import subprocess
import tempfile
import threading

from homibench import engines, studies, tables
from homibench import verdict_programs as programs
from homibench.places import ROOT

PROPERTIES = ["unreach-call", "no-overflow", "valid-memsafety", "valid-memcleanup", "termination"]
# Native ends that violate a property.
VIOLATIONS = {
    "unreach-call": {programs.REACHED},
    "no-overflow": {programs.OVERFLOW},
    "valid-memsafety": {programs.MEMORY},
    "valid-memcleanup": {programs.KEPT},
    "termination": {programs.LONG},
}
PLAIN = [["gcc", "-O0"], ["gcc", "-O2"], ["clang-19", "-O2"]]
WRAPS = ["-fwrapv", "-fno-strict-aliasing"]
# Ends that do not contradict FALSE: what LeakSanitizer finds in a register is not lost for it.
ALLOWED = {"valid-memsafety": {programs.KEPT}}
# Builds whose ends count for a property.
BUILDS = {
    "unreach-call": [[*one, *WRAPS] for one in PLAIN],
    "no-overflow": [["gcc", "-O0", "-fsanitize=signed-integer-overflow"]],
    "valid-memsafety": [["gcc", "-O0", "-fsanitize=address"]],
    "valid-memcleanup": [["gcc", "-O0"]],
    "termination": [["gcc", "-O0", *WRAPS]],
}
VARIANTS = [["--subsume"], ["--max-preemptions", "1"], ["--prune", "none", "--fork", "lazy"]]
VERDICTS = ["TRUE", "FALSE", "UNKNOWN"]
# Seconds of a run, after which it is ended.
MOST_SECONDS = 60
# Runs with each pair of bytes of a program that reads more.
SEEDS = 4


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the command-line arguments."""
    add = parser.add_argument
    add("-n", "--count", type=int, default=50, help="programs (default 50)")
    add("--first", type=int, default=1, help="seed of the first program (default 1)")
    add("--property", choices=PROPERTIES, help="the one property (default: by seed)")
    add("--limit", type=int, default=60_000, help="instructions of a run (default 60,000)")
    add("--jobs", type=int, default=1)
    log = ROOT / "target/verdicts.jsonl"
    add("--log", type=pathlib.Path, default=log, help="results (default target/verdicts.jsonl)")
    add("--fresh", action="store_true", help="forget the results that the log has")
    add("--keep", type=pathlib.Path, help="copy the sources of wrong verdicts here")
    engines.add_homi(parser)
    studies.add_study(parser)


def native_ends(program: programs.Program, name: str, directory: pathlib.Path) -> set[int]:
    """The ends of all native runs of a program, for a property."""
    macros, harness = directory / "macros.h", directory / "native.c"
    macros.write_text(programs.MACROS)
    harness.write_text(programs.NATIVE)
    seeds = SEEDS if program.reads_in_loops else 1
    environment = os.environ | {
        "ASAN_OPTIONS": f"exitcode={programs.MEMORY}:detect_leaks=1",
        "LSAN_OPTIONS": f"exitcode={programs.MEMORY}",
        "UBSAN_OPTIONS": f"exitcode={programs.OVERFLOW}:halt_on_error=1",
    }
    ends: set[int] = set()
    for number, build in enumerate(BUILDS[name]):
        parts, executable = [], directory / f"native{number}"
        for source, flags in (("task.c", ["-include", macros]), ("native.c", [])):
            parts.append(directory / f"{source}.{number}.o")
            define = [f"-DSEEDS={seeds}", f"-DREACHES={int(name == 'unreach-call')}", "-w", "-fno-sanitize-recover=all"]
            command = [*build, *define, *flags, "-c", directory / source, "-o", parts[-1]]
            subprocess.run(command, check=True)
        subprocess.run([*build, *parts, "-o", executable], check=True)
        done = subprocess.run(
            [executable], capture_output=True, text=True, check=True, env=environment
        )
        ends |= {int(end) for end in done.stdout.split()}
    return ends


def judged_by_homi(
    arguments: argparse.Namespace, seed: int, name: str, directory: pathlib.Path
) -> dict[str, str]:
    """homi's verdicts without options and with some of the variants, each with its reason."""
    bitcode = directory / "task.bc"
    compile_it = ["clang-19", "-g", "-O0", "-Xclang", "-disable-O0-optnone", "-w", "-emit-llvm"]
    if name == "no-overflow":
        compile_it += ["-fsanitize=signed-integer-overflow,shift", "-frecord-command-line"]
    subprocess.run([*compile_it, "-c", directory / "task.c", "-o", bitcode], check=True)
    said = {}
    for options in [[], VARIANTS[seed // len(PROPERTIES) % len(VARIANTS)]]:
        out = directory / "out"
        command = [arguments.homi, "run", bitcode, "--property", name, "--output-dir", out]
        command += ["--max-time", f"{arguments.limit}i", *options]
        try:
            done = subprocess.run(
                command, capture_output=True, text=True, check=False, timeout=MOST_SECONDS
            )
            found = re.search(r"verdict: (.*)", done.stdout + done.stderr)
            said[" ".join(options)] = found[1] if found else f"none: {done.stderr[-300:]}"
        except subprocess.TimeoutExpired:
            said[" ".join(options)] = f"UNKNOWN ({name}): late"
        subprocess.run(["rm", "-rf", out], check=True)
    return said


def judge(arguments: argparse.Namespace, seed: int) -> dict:
    """The line of one program."""
    name = arguments.property or PROPERTIES[seed % len(PROPERTIES)]
    program = programs.Program(seed)
    with tempfile.TemporaryDirectory() as folder:
        directory = pathlib.Path(folder)
        (directory / "task.c").write_text(program.text())
        ends = native_ends(program, name, directory)
        said = judged_by_homi(arguments, seed, name, directory)
        violating = ends & VIOLATIONS[name]
        allowed = violating | (ends & ALLOWED.get(name, set()))
        verdicts = {said.split()[0] for said in said.values()}
        wrong = None
        if not verdicts <= set(VERDICTS):
            wrong = "no verdict"
        elif {"TRUE", "FALSE"} <= verdicts:
            wrong = "options change the verdict"
        elif "TRUE" in verdicts and violating:
            wrong = f"TRUE, natively {sorted(violating)}"
        elif "FALSE" in verdicts and not allowed and not program.reads_in_loops:
            wrong = f"FALSE, natively {sorted(ends)}"
        if arguments.keep and wrong:
            arguments.keep.mkdir(parents=True, exist_ok=True)
            (arguments.keep / f"{seed}.c").write_text(program.text())
    plain = said[""]
    result = {"seed": seed, "property": name, "verdict": plain.split()[0], "said": plain}
    return result | ({"wrong": wrong, "all": said} if wrong else {})


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
                if "wrong" in result:
                    print(json.dumps(result), flush=True)

        with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
            list(pool.map(one, [seed for seed in wanted if seed not in known]))
    return [known[seed] for seed in wanted]


def table(results: list[dict]) -> list[str]:
    """Verdicts by property, reasons of UNKNOWN, and what was wrong."""
    counts: dict[str, collections.Counter] = collections.defaultdict(collections.Counter)
    for result in results:
        counts[result["property"]][result["verdict"]] += 1
        counts[result["property"]]["wrong"] += "wrong" in result
    everything = sum(counts.values(), collections.Counter())
    rows = tables.header(["property", "programs", *VERDICTS, "wrong"], numbers=True)
    for name, count in [*sorted(counts.items()), ("all", everything)]:
        numbers = [count[one] for one in VERDICTS]
        rows.append(tables.row([name, sum(numbers), *numbers, count["wrong"]]))
    unknown = [result["said"] for result in results if result["verdict"] == "UNKNOWN"]
    reasons = collections.Counter(
        re.sub(r"^UNKNOWN \(.*?\): ", "", said).split(":")[0].split("(")[0] for said in unknown
    )
    rows += ["", "Reasons of UNKNOWN:", ""]
    rows += [f"- {count} {reason.strip()}" for reason, count in reasons.most_common()]
    odd = [result for result in results if "wrong" in result]
    rows += [f"- seed {one['seed']} {one['property']}: {one['wrong']}" for one in odd]
    return rows


def run(arguments: argparse.Namespace) -> int:
    """Judges all programs and prints the table."""
    studies.check(arguments)
    arguments.homi = engines.needed(arguments.homi)
    wanted = range(arguments.first, arguments.first + arguments.count)
    results = judge_all(arguments, wanted)
    lines = table(results)
    print("\n".join(lines))
    facts = [f"seeds: {wanted[0]} to {wanted[-1]}", f"limit: {arguments.limit} instructions"]
    question = "Do native runs contradict homi's verdicts on random programs?"
    studies.write(arguments, question, "correctness", facts, lines)
    return int(any("wrong" in result for result in results))
