"""homi's readers under libFuzzer (cargo-fuzz without a sanitizer, so a stable toolchain will do).

  ir_text   any text through the reader of the IR's text form, printed and read again
  ktest     any bytes through the .ktest reader, the printer and the expansion to a process' inputs
  bitcode   mutated bitcode through reading, linking, lowering and the first instructions, each file
            in a child process

A crash or an endless loop of LLVM's reader in the child process is an error message of homi and no
finding; a panic, more than 10 s of homi's own processor time and a differing round trip are. The
targets (in fuzz/) run side by side, at the scheduler's idle priority or with --nice. Seeds are made
from the tests' programs; what is found to be interesting stays in target/fuzz/corpus, so a later
run goes on from there. Inputs that fail are in target/fuzz/artifacts. Afterwards `--replay` gives
the corpus of bitcode to the real `homi run`.

Status 1 on a finding. Needs: cargo build --release; clang-19; cargo-fuzz, which is installed by
cargo where it is missing.
"""

import argparse
import collections.abc
import os
import pathlib
import re
import resource
import shutil
import subprocess
import tempfile
import time
import typing

from homibench import engines, native, studies, tables
from homibench.places import ROOT, TEST_DATA

FUZZ = ROOT / "fuzz"
WORK = ROOT / "target/fuzz"
BINARIES = WORK / "x86_64-unknown-linux-gnu/release"
# The targets, and the largest input of each in bytes.
LARGEST = {"ir_text": 16384, "ktest": 4096, "bitcode": 65536}
TITLES = ["target", "wall s", "processor s", "executions", "edges of homi covered", "corpus"]
TITLES.append("ended")

# Arguments, streams, files and objects of every kind that a test can have.
KTEST_PROGRAM = """
void klee_make_symbolic(void *, unsigned long, const char *);
int main(int c, char **v) {
  int n; klee_make_symbolic(&n, sizeof n, "n");
  if (n == 7) return 1;
  return c > 1 && v[1][0] == 'a';
}
"""
KTEST_ARGUMENTS = [
    "--sym-arg 3",
    "--sym-args 0 2 4",
    "--sym-stdin 8",
    "--sym-files 2 4 --sym-stdout",
    "word --sym-arg 1 -x",
    "--sym-args 1 1 9 --sym-files 1 3 --max-fail 1",
]


class Ended(typing.NamedTuple):
    """Seconds of the wall and of the processor, and the exit status of a target."""

    wall: float
    processor: float
    status: int


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the command-line arguments."""
    add = parser.add_argument
    add("targets", nargs="*", metavar="TARGET", help=f"of {', '.join(LARGEST)}; all without one")
    add("-t", "--time", type=int, default=60, help="seconds for each (default 60)")
    add("--seed", type=int, default=1, help="libFuzzer's seed (default 1)")
    add("--nice", type=int, metavar="N", help="instead of the scheduler's idle priority")
    add("--no-build", action="store_true", help="run what is built")
    text = "afterwards, N files of the corpus of bitcode through `homi run`"
    add("--replay", type=int, metavar="N", default=0, help=text)
    engines.add_homi(parser)
    studies.add_study(parser)


def build() -> None:
    """Builds the targets."""
    if not shutil.which("cargo-fuzz"):
        subprocess.run(["cargo", "install", "--locked", "cargo-fuzz"], check=True)
    command = ["cargo", "fuzz", "build", "--fuzz-dir", ".", "--sanitizer", "none"]
    environment = os.environ | {"CARGO_TARGET_DIR": str(WORK)}
    subprocess.run(command, cwd=FUZZ, check=True, env=environment)


def compiled(directory: pathlib.Path) -> collections.abc.Iterator[pathlib.Path]:
    """Bitcode files of the tests' C programs and of fuzz/seeds."""
    folders = [TEST_DATA / name for name in ("exec_c", "libc", "runtime/programs")]
    for folder in [*folders, FUZZ / "seeds"]:
        for source in sorted(folder.glob("*.c")):
            for level in ("-O0", "-O2"):
                output = directory / f"{source.stem}{level}.bc"
                debug = "-g" if folder.name == "seeds" and level == "-O0" else "-g0"
                flags = ["-c", "-emit-llvm", "-w", "-mavx2", level, debug]
                if native.quietly(["clang-19", *flags, source, "-o", output]).returncode == 0:
                    yield output


def ir_text_seeds(directory: pathlib.Path) -> None:
    """The tests' texts, and the text of compiled programs."""
    for path in (TEST_DATA / "ir").glob("*.hir"):
        shutil.copy(path, directory)
    with tempfile.TemporaryDirectory() as scratch:
        for path in compiled(pathlib.Path(scratch)):
            environment = os.environ | {"HOMI_FUZZ_PRINT": str(path)}
            text = native.quietly([BINARIES / "ir_text"], env=environment).stdout
            # Whole functions, as many as a seed may have bytes.
            whole = text[: LARGEST["ir_text"]].rpartition(b"\n")[0]
            (directory / f"{path.stem}.hir").write_bytes(whole)


def ktest_seeds(homi: pathlib.Path, directory: pathlib.Path) -> None:
    """Tests of a small program with all kinds of arguments."""
    with tempfile.TemporaryDirectory() as name:
        scratch = pathlib.Path(name)
        source, bitcode = scratch / "a.c", scratch / "a.bc"
        source.write_text(KTEST_PROGRAM)
        subprocess.run(["clang-19", "-c", "-emit-llvm", source, "-o", bitcode], check=True)
        for number, args in enumerate(KTEST_ARGUMENTS):
            out = scratch / f"out{number}"
            command = [homi, "run", "--quiet", "--max-tests", "20", "--output-dir", out, bitcode]
            native.quietly([*command, "--", *args.split()], cwd=scratch)
            for test in out.glob("*.ktest"):
                shutil.copy(test, directory / f"{number}-{test.name}")


def seeds(target: str, homi: pathlib.Path) -> pathlib.Path:
    """A fresh folder with the seeds of a target."""
    directory = WORK / "seeds" / target
    shutil.rmtree(directory, ignore_errors=True)
    directory.mkdir(parents=True)
    if target == "bitcode":
        list(compiled(directory))
    elif target == "ir_text":
        ir_text_seeds(directory)
    else:
        ktest_seeds(homi, directory)
    if not any(directory.iterdir()):
        raise SystemExit(f"no seeds for {target}: is {homi} built, clang-19 installed?")
    return directory


def dictionary(target: str) -> list[str]:
    """The option for the words of the IR's text form, as its printer and parser spell them."""
    if target != "ir_text":
        return []
    words = set()
    for source in sorted((ROOT / "src/ir/program/text").glob("*.rs")):
        words |= set(re.findall(r'"([a-z][a-z0-9_-]*)"', source.read_text()))
    path = WORK / f"{target}.dict"
    path.write_text("".join(f'"{word}"\n' for word in sorted(words)))
    return [f"-dict={path}"]


def start(target: str, arguments: argparse.Namespace) -> subprocess.Popen:
    """Starts a target; what it says goes to target/fuzz/TARGET.log."""
    corpus, artifacts = WORK / "corpus" / target, WORK / "artifacts" / target
    for folder in (corpus, artifacts):
        folder.mkdir(parents=True, exist_ok=True)
    nice = arguments.nice
    command = ["chrt", "-i", "0"] if nice is None else ["nice", "-n", str(nice)]
    command += [BINARIES / target, f"-max_total_time={arguments.time}", f"-seed={arguments.seed}"]
    command += [f"-max_len={LARGEST[target]}", "-timeout=1200", "-rss_limit_mb=2048"]
    command += ["-print_final_stats=1", f"-artifact_prefix={artifacts}/", *dictionary(target)]
    directory = seeds(target, arguments.homi)
    with (WORK / f"{target}.log").open("wb") as log:
        args = [str(arg) for arg in [*command, corpus, directory]]
        return subprocess.Popen(args, stdout=log, stderr=subprocess.STDOUT)


def wait(processes: dict[str, subprocess.Popen]) -> dict[str, Ended]:
    """How each target ended."""
    begin, ended = time.monotonic(), {}
    left = {process.pid: target for target, process in processes.items()}
    while left:
        pid, status, usage = os.wait4(-1, 0)
        if pid in left:
            processor = usage.ru_utime + usage.ru_stime
            code = os.waitstatus_to_exitcode(status)
            ended[left.pop(pid)] = Ended(time.monotonic() - begin, processor, code)
    return ended


def table(ended: dict[str, Ended]) -> list[str]:
    """A line for each target."""
    lines = tables.header(TITLES)
    for target, end in sorted(ended.items()):
        log = (WORK / f"{target}.log").read_text(errors="replace")
        executions = re.findall(r"stat::number_of_executed_units: (\d+)", log)
        executions = executions or re.findall(r"^#(\d+)", log, re.M) or ["0"]
        covered = (re.findall(r"cov: (\d+)", log) or ["0"])[-1]
        corpus = len(list((WORK / "corpus" / target).iterdir()))
        where = f"finding: see target/fuzz/{target}.log and artifacts/{target}"
        outcome = "time" if end.status == 0 else where
        cells = [target, f"{end.wall:.0f}", f"{end.processor:.0f}", executions[-1], covered]
        lines.append(tables.row([*cells, corpus, outcome]))
    return lines


def kind_of(status: int, said: str) -> str:
    """What `homi run` did with a file."""
    if "panicked at" in said:
        return "panic"
    if status not in (0, 1, 3):
        return f"status {status}"
    if status != 1:
        return "runs"
    return "LLVM crashed, reported" if "crashed LLVM" in said else "refused"


def replay(homi: pathlib.Path, count: int) -> tuple[list[str], bool]:
    """The corpus as its user meets it: (lines, whether homi itself failed on a file)."""

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_CPU, (120, 120))

    files = sorted((WORK / "corpus/bitcode").iterdir(), key=lambda path: path.name)[:count]
    outcomes: dict[str, int] = {}
    bad = []
    with tempfile.TemporaryDirectory() as scratch:
        for path in files:
            out = pathlib.Path(scratch) / "out"
            shutil.rmtree(out, ignore_errors=True)
            command = [homi, "run", "--quiet", "--max-time", "2s", "--halt-time", "1s"]
            command += ["--output-dir", out, path]
            done = native.quietly(command, cwd=scratch, preexec_fn=limit)
            said = done.stderr.decode(errors="replace")
            kind = kind_of(done.returncode, said)
            outcomes[kind] = outcomes.get(kind, 0) + 1
            if kind == "panic" or kind.startswith("status"):
                bad.append(f"{path.name}: {kind}: {said[-400:]}")
    counts = ", ".join(f"{number} {kind}" for kind, number in sorted(outcomes.items()))
    return ["", f"`homi run` on {len(files)} files of the corpus: {counts}", *bad], bool(bad)


def run(arguments: argparse.Namespace) -> int:
    """Builds and runs the targets and prints the table."""
    unknown = sorted(set(arguments.targets) - set(LARGEST))
    if unknown:
        raise SystemExit(f"no target {unknown[0]}; there are {', '.join(LARGEST)}")
    studies.check(arguments)
    arguments.homi = engines.needed(arguments.homi)
    if not arguments.no_build:
        build()
    targets = arguments.targets or list(LARGEST)
    ended = wait({target: start(target, arguments) for target in targets})
    failed = any(end.status for end in ended.values())
    lines = table(ended)
    if arguments.replay:
        more, bad = replay(arguments.homi, arguments.replay)
        lines += more
        failed |= bad
    print("\n".join(lines))
    facts = [f"budget: {arguments.time} s for each target; seed {arguments.seed}"]
    question = "Do damaged and nonsensical files crash a reader?"
    studies.write(arguments, question, "correctness", facts, lines)
    return int(failed)
