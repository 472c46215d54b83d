"""Random C programs with pointers that input chooses: homi must find each native outcome.

Program N is `pointer_programs`' with seed N. Natively it runs on each of its inputs, one child
process per input; homi follows all paths of it. Both must have the same outcomes, an exit status or
a signal where homi has a bug of a kind that ends so, and each of homi's tests must end natively as
homi says. One line per program that differs.

  benchmarks/bench pointers -n 50                         the first fifty
  benchmarks/bench pointers -n 2000 --keep DIRECTORY      2,000; sources that differ are kept

Status 1 if an outcome was lost without homi saying that it took one value for several, or if an
error is none. Needs: clang-19; cargo build --release; scripts/setup runtime.
"""

import argparse
import pathlib
import random
import subprocess
import tempfile

from homibench import engines, ktest, pointer_programs

# Signals that a bug of a kind ends with natively.
SIGNALS = {
    "ptr": {-11, -7},
    "read_only": {-11},
    "free": {-6, -11},
    "div": {-8},
    "overflow": {-8},
    "assert": {-6},
    "abort": {-6},
    "exec": {-11, -4},
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The command line's words."""
    add = parser.add_argument
    add("-n", "--count", type=int, default=50, help="programs (default 50)")
    add("--first", type=int, default=1, help="seed of the first program (default 1)")
    add("--clang", default="clang-19", help="default clang-19")
    add("--limit", type=int, default=60, help="seconds of a program in homi (default 60)")
    add("--keep", type=pathlib.Path, help="copy what differs here")
    engines.add_homi(parser)


def compiled(
    program: pointer_programs.Program, clang: str, directory: pathlib.Path, seed: int
) -> tuple[pathlib.Path, list[pathlib.Path]]:
    """The native executable and the bitcode files of a program."""
    source, harness, main = (directory / f"{name}.c" for name in ("program", "native", "main"))
    source.write_text(program.text())
    bits = f"#define BITS {program.bits}\n"
    harness.write_text(bits + pointer_programs.NATIVE)
    main.write_text(bits + pointer_programs.SYMBOLIC)
    level = random.Random(seed + 1).choice(["-O0", "-O0", "-O1", "-O2"])
    common = [clang, "-w", "-fno-strict-aliasing", "-fno-delete-null-pointer-checks"]
    executable = directory / "native.exe"
    subprocess.run([*common, "-O0", source, harness, "-o", executable], check=True)
    plain = ["-Xclang", "-disable-O0-optnone", "-O0"]
    parts = []
    for part, flags in ((source, plain if level == "-O0" else [level]), (main, plain)):
        parts.append(part.with_suffix(".bc"))
        emit = ["-g", "-c", "-emit-llvm", part, "-o", parts[-1]]
        subprocess.run([*common, *flags, *emit], check=True)
    return executable, parts


def ended_as(path: pathlib.Path) -> str | None:
    """The kind of bug that homi says a test ends in, or `early`; none if it exits."""
    kinds = [other.name.split(".", 1)[1] for other in path.parent.glob(path.stem + ".*")]
    ends = [kind for kind in kinds if kind.endswith(".err") or kind == "early"]
    return ends[0].removesuffix(".err") if ends else None


def compare(
    seed: int, arguments: argparse.Namespace, directory: pathlib.Path
) -> tuple[list[str], bool, int]:
    """What is wrong with homi's answers to one program, whether it narrowed, and its tests."""
    program = pointer_programs.Program(seed)
    executable, parts = compiled(program, arguments.clang, directory, seed)
    native = subprocess.run([executable], capture_output=True, text=True, check=True)
    outcomes = [int(line) for line in native.stdout.split()]
    size = 2 if program.bits > 8 else 1
    out = directory / "out"
    command = [arguments.homi, "run", *parts, "--quiet", "--all-tests", "--emit-all-errors"]
    command += ["--max-time", f"{arguments.limit}s", "--output-dir", out]
    command += ["--", "--sym-stdin", str(size)]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    summary = engines.summary(out)
    if summary is None:
        return [f"homi ended with status {run.returncode}: {run.stderr[-300:]}"], False, 0
    wrong, found, tests = [], set(), sorted(out.glob("*.ktest"))
    for path in tests:
        given = ktest.objects(path).get("stdin", b"\0\0")
        at = int.from_bytes(given[:size], "little")
        outcome = outcomes[at] if at < len(outcomes) else 249
        found.add(outcome)
        end = ended_as(path)
        if end is None and outcome < 0:
            wrong.append(f"{path.stem}: no bug, natively signal {-outcome} ({given.hex()})")
        elif end is not None and outcome not in SIGNALS.get(end, set()):
            wrong.append(f"{path.stem}: {end}, natively {outcome} ({given.hex()})")
    narrowed = bool(summary.get("narrowed")) or summary["stop_reason"] != "exhausted"
    lost = sorted((set(outcomes) | ({249} if size > 1 else set())) - found)
    if lost:
        inputs = {value: outcomes.index(value) for value in lost if value in outcomes}
        wrong.append(f"lost {lost} (inputs {inputs}), {summary['stop_reason']}")
    return wrong, narrowed, len(tests)


def run(arguments: argparse.Namespace) -> int:
    """Compares the programs; 1 if one is wrong."""
    bad, narrowed, tests = 0, 0, 0
    for seed in range(arguments.first, arguments.first + arguments.count):
        with tempfile.TemporaryDirectory() as name:
            directory = pathlib.Path(name)
            wrong, is_narrowed, count = compare(seed, arguments, directory)
            tests += count
            narrowed += is_narrowed
            if not wrong:
                continue
            silent = [line for line in wrong if not (is_narrowed and line.startswith("lost"))]
            bad += bool(silent)
            said = " (narrowed)" if is_narrowed else ""
            print(f"{seed}{said}: " + "; ".join(wrong[:3]), flush=True)
            if arguments.keep:
                kept = arguments.keep / str(seed)
                kept.mkdir(parents=True, exist_ok=True)
                for part in [*directory.glob("*.c"), *directory.glob("*.bc")]:
                    (kept / part.name).write_bytes(part.read_bytes())
    print(f"{arguments.count} programs, {tests} tests: {bad} differ, {narrowed} narrowed")
    return 1 if bad else 0
