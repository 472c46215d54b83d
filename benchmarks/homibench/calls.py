"""Random C programs over libc calls: each outcome that homi predicts must be the native one.

Program N is `call_programs`' with seed N. `homi cc` builds it, `homi run` follows its paths, and
compares every test that it predicts with the native program; then each runs once more on the real
kernel (`call_native`). The programs have no bug: an error that homi reports is false. One line per program goes to a file, from which a later call goes on.

  benchmarks/bench calls -n 100                           the first hundred
  benchmarks/bench calls -n 2000 --study random-calls     2,000, as a study
  benchmarks/bench calls --kind varying -n 200            programs with clocks, addresses and threads
  benchmarks/bench calls --kind mutants -n 40             a changed libc: each must be told

Programs of kind `varying` print what two executions need not have in common: a divergence is a
false alarm. `mutants` changes what one function of the runtime's bitcode returns, explores a
program that calls it, and expects a divergence.

Status 1 if a program diverges, an error is reported falsely, or homi fails; with `mutants`, if more
than one in twenty is not told. Needs: clang-19; cargo build --release; scripts/setup runtime.
"""

import argparse
import collections
import json
import pathlib
import subprocess
import tempfile
import time

from homibench import call_forms_data, call_forms_system, call_forms_text, call_forms_varying
from homibench import call_mutants, call_native, call_programs, engines, studies, tables
from homibench.places import ROOT

FORMS = call_forms_text.FORMS | call_forms_data.FORMS | call_forms_system.FORMS
OUTCOMES = ["same", "diverges", "kernel differs", "false error", "unsupported", "nothing compared", "failed"]
TITLES = ["family", "programs", "tests", "compared", "divergences", *OUTCOMES]
# Tests that end the exploration of a program.
MOST_TESTS = "32"
# Seconds after which a program is given up, whatever its limit says.
GIVEN_UP = 120


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the command-line arguments."""
    add = parser.add_argument
    add("-n", "--count", type=int, default=100, help="programs (default 100)")
    add("--first", type=int, default=1, help="seed of the first program (default 1)")
    add("--kind", choices=["calls", "varying", "mutants"], default="calls")
    add("--family", help="programs of this family only")
    add("--limit", type=int, default=3, help="seconds of a program in homi (default 3)")
    add("--seconds", type=int, help="no program begins after so many seconds")
    add("--log", type=pathlib.Path, help="outcomes (default target/calls-KIND.jsonl)")
    add("--fresh", action="store_true", help="forget the outcomes that the log has")
    add("--keep", type=pathlib.Path, help="copy sources whose outcome is not the same here")
    add("--runtime-dir", type=pathlib.Path, help="the runtime's bitcode (default: homi's own)")
    engines.add_homi(parser)
    studies.add_study(parser)


def program_of(arguments: argparse.Namespace, seed: int) -> call_programs.Program:
    """The program of a seed."""
    forms = call_forms_varying.FORMS if arguments.kind == "varying" else FORMS
    if arguments.family:
        forms = {name: of for name, of in forms.items() if arguments.family in name}
    return call_programs.Program(seed, forms)


def explored(
    arguments: argparse.Namespace, program: call_programs.Program, place: pathlib.Path
) -> tuple[dict | None, str]:
    """The summary of a run that compares all of its tests, and what homi said."""
    (place / "program.c").write_text(program.source())
    built = [arguments.homi, "cc", "-g", "-w", "program.c", "-o", "program", "-lm"]
    options = {"capture_output": True, "text": True, "errors": "replace", "timeout": GIVEN_UP}
    options |= {"check": False, "stdin": subprocess.DEVNULL, "cwd": place}
    done = subprocess.run(built, **options)
    if done.returncode:
        return None, done.stderr[-400:]
    command = [arguments.homi, "run", "./program", "--quiet", "--all-tests", "--emit-all-errors"]
    command += ["--max-tests", MOST_TESTS, "--clock", "cpu", "--max-time", f"{arguments.limit}s"]
    command += ["--output-dir", "out"]
    if arguments.runtime_dir:
        command += ["--runtime-dir", arguments.runtime_dir.resolve()]
    try:
        done = subprocess.run([*command, "--", *program.args()], **options)
    except subprocess.TimeoutExpired:
        return None, f"no end after {GIVEN_UP} s"
    return engines.summary(place / "out"), f"status {done.returncode}: {done.stderr[-300:]}"


def told(one: dict) -> str:
    """A divergence in a line: its cause, the ends, or the first line that differs."""
    if one.get("cause"):
        return str(one["cause"])
    return json.dumps({name: value for name, value in one.items() if name != "test"})[:300]


def judged(arguments: argparse.Namespace, seed: int, place: pathlib.Path) -> dict:
    """What homi's predictions for one program are worth."""
    program = program_of(arguments, seed)
    result: dict = {"seed": seed, "family": program.family}
    started = time.monotonic()
    summary, said = explored(arguments, program, place)
    result["seconds"] = round(time.monotonic() - started, 1)
    if summary is None:
        return result | {"outcome": "failed", "why": said}
    outcomes = summary.get("outcomes") or {}
    divergences = outcomes.get("divergences") or []
    result |= {"tests": summary["tests"], "compared": outcomes.get("compared", 0)}
    result |= {"divergences": len(divergences), "stop": summary["stop_reason"]}
    if summary["errors"]:
        return result | {"outcome": "false error", "why": summary["errors"][:3]}
    if divergences:
        return result | {"outcome": "diverges", "why": [told(one) for one in divergences[:3]]}
    if arguments.kind == "calls":
        count, found = call_native.differences(place / "out", place / "program", place / "native")
        result |= {"natively": count, "differ": len(found)}
        if found:
            return result | {"outcome": "kernel differs", "why": list(dict.fromkeys(found))[:3]}
    if summary["unsupported"]:
        return result | {"outcome": "unsupported", "why": summary["unsupported"][:3]}
    return result | {"outcome": "same" if result["compared"] else "nothing compared"}


def judge(arguments: argparse.Namespace, seed: int) -> dict:
    """The line of one program; its source is kept if it is odd."""
    with tempfile.TemporaryDirectory() as name:
        place = pathlib.Path(name)
        place.chmod(0o755)
        if arguments.kind == "mutants":
            return call_mutants.judged(arguments, seed, place, explored, FORMS)
        result = judged(arguments, seed, place)
        if arguments.keep and result["outcome"] != "same":
            arguments.keep.mkdir(parents=True, exist_ok=True)
            source = program_of(arguments, seed).source()
            (arguments.keep / f"{arguments.kind}{seed}.c").write_text(source)
    return result


def judge_all(arguments: argparse.Namespace, wanted: range) -> list[dict]:
    """The lines of all programs that time allows; new ones are added to the log."""
    log = arguments.log or ROOT / f"target/calls-{arguments.kind}.jsonl"
    known: dict[int, dict] = {}
    if log.exists() and not arguments.fresh:
        lines = [json.loads(line) for line in log.read_text().splitlines()]
        known = {line["seed"]: line for line in lines if line["seed"] in wanted}
    log.parent.mkdir(parents=True, exist_ok=True)
    end = time.monotonic() + (arguments.seconds or 10**9)
    with log.open("w" if arguments.fresh else "a") as file:
        for seed in wanted:
            if seed in known or time.monotonic() > end:
                continue
            known[seed] = judge(arguments, seed)
            file.write(json.dumps(known[seed]) + "\n")
            file.flush()
            if known[seed]["outcome"] not in ("same", "told"):
                print(json.dumps(known[seed]), flush=True)
    return [known[seed] for seed in wanted if seed in known]


def table(results: list[dict]) -> list[str]:
    """Outcomes by family, and what was not the same."""
    families: dict[str, list[dict]] = collections.defaultdict(list)
    for result in results:
        families[result["family"]].append(result)
    rows = tables.header(TITLES, numbers=True)
    for name, those in [*sorted(families.items()), ("all", results)]:
        count = collections.Counter(one["outcome"] for one in those)
        sums = [
            sum(one.get(key, 0) for one in those) for key in ("tests", "compared", "divergences")
        ]
        cells = [name, len(those), *sums, *(count[one] for one in OUTCOMES)]
        rows.append(tables.row(cells))
    odd = [one for one in results if one["outcome"] != "same"]
    lines = [
        f"- seed {one['seed']}, {one['family']}: {one['outcome']} {one.get('why', '')}"
        for one in odd
    ]
    return [*rows, "", *lines]


def run(arguments: argparse.Namespace) -> int:
    """Judges all programs and prints the table."""
    studies.check(arguments)
    arguments.homi = engines.needed(arguments.homi)
    if arguments.kind == "mutants" and not arguments.runtime_dir:
        arguments.runtime_dir = ROOT / ".deps/runtime"
    results = judge_all(arguments, range(arguments.first, arguments.first + arguments.count))
    mutants = arguments.kind == "mutants"
    lines = call_mutants.table(results) if mutants else table(results)
    print("\n".join(lines))
    facts = [f"seeds: {arguments.first} to {arguments.first + arguments.count - 1}"]
    facts.append(f"limit: {arguments.limit} s of a program")
    studies.write(arguments, QUESTIONS[arguments.kind], "correctness", facts, lines)
    count = collections.Counter(one["outcome"] for one in results)
    if mutants:
        return int(20 * (len(results) - count["told"]) > len(results))
    return int(any(count[one] for one in ("diverges", "kernel differs", "false error", "failed")))


QUESTIONS = {
    "calls": "Do random programs over libc calls end in homi as they do natively?",
    "varying": "Does homi tell a divergence of what changes from execution to execution?",
    "mutants": "Does homi tell that a function of its C library or kernel is wrong?",
}
