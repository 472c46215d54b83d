"""What scripts/check-libc and scripts/check-kernel share: programs linked with our libraries run on
the host's kernel and must do what their glibc builds do.

A check hands over how a program's bitcode becomes an executable; here are the programs (coreutils'
command lines in the tests' list, and the tests' own programs for libc), the runs and the report.
"""

import collections.abc
import difflib
import itertools
import pathlib
import shlex
import shutil
import subprocess
import sys
import tempfile
import typing

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
SUBJECTS = ROOT / ".deps/subjects/coreutils-9.1"
LIBC = ROOT / ".deps/runtime/libc.bc"
KERNEL = ROOT / ".deps/runtime/kernel.bc"
START = ROOT / "runtime/musl/native/start.c"
ENGINE = ROOT / "runtime/kernel/native/engine.c"
# With the kernel in between, start.c's system calls are the host's, and what engine.c has is its
# own.
RENAMED = [
    "-D__homi_syscall=host_syscall",
    "-D__homi_start=__homi_entry",
    "-Dhomi_concretize=start_concretize",
    "-Dklee_is_symbolic=start_is_symbolic",
]
INCLUDE = f"-I{ROOT / 'runtime/include'}"
TESTS = ROOT / "tests/data"
FIXTURE = TESTS / "differential/fixture"
LINK = "/usr/lib/llvm-19/bin/llvm-link"
FLAGS = "-O1 -ffreestanding -fno-builtin -fno-pic -w -emit-llvm -c".split()
EXECUTABLE = "-O0 -fno-pic -no-pie -static -nostdlib -w".split()

# Build of an executable from bitcode: (name, bitcode, output directory) -> executable.
Build = collections.abc.Callable[[str, pathlib.Path, pathlib.Path], pathlib.Path]


class Case(typing.NamedTuple):
    """A command line: the program with our libraries, its glibc build, arguments, standard input."""

    name: str
    linked: pathlib.Path
    native: pathlib.Path
    args: list[str]
    stdin: str | None


def newer(target: pathlib.Path, *sources: pathlib.Path) -> bool:
    """Whether the target was made after all of its sources."""
    if not target.exists():
        return False
    return all(target.stat().st_mtime > source.stat().st_mtime for source in sources)


def make(*command: object) -> None:
    """Runs a compiler or linker; the error that it raises says what that wrote."""
    try:
        subprocess.run(command, check=True, capture_output=True)
    except subprocess.CalledProcessError as error:
        error.add_note(error.stderr.decode(errors="backslashreplace"))
        raise


def compiled(source: pathlib.Path, folder: str, *flags: str) -> pathlib.Path:
    """Bitcode of a freestanding C file below .deps/FOLDER, made if it is not there."""
    target = ROOT / ".deps" / folder / f"{source.stem}.bc"
    if not newer(target, source):
        target.parent.mkdir(parents=True, exist_ok=True)
        make("clang-19", *FLAGS, *flags, source, "-o", target)
    return target


def executable(exe: pathlib.Path, parts: list[pathlib.Path], work: pathlib.Path) -> pathlib.Path:
    """The parts and what they need of libc.bc as a static executable, made if it is not there."""
    if not newer(exe, LIBC, *parts):
        program, linked = work / "program.bc", work / "linked.bc"
        # As the engine links: the program first, then what it needs of libc, so that its own
        # definitions win.
        make(LINK, *parts, "-o", program)
        make(LINK, "--only-needed", program, LIBC, "-o", linked)
        make("clang-19", *EXECUTABLE, linked, "-o", exe)
    return exe


def build_libc(name: str, bitcode: pathlib.Path, work: pathlib.Path) -> pathlib.Path:
    """The program linked with libc.bc."""
    return executable(work / name, [bitcode, compiled(START, "check-libc")], work)


def build_kernel(name: str, bitcode: pathlib.Path, work: pathlib.Path) -> pathlib.Path:
    """The program linked with libc.bc and kernel.bc."""
    start = compiled(START, "check-kernel", INCLUDE, *RENAMED)
    engine = compiled(ENGINE, "check-kernel", INCLUDE)
    return executable(work / name, [bitcode, start, engine, KERNEL], work)


def run(exe: pathlib.Path, args: list[str], stdin: str | None) -> tuple[bytes, bytes, object]:
    """(stdout, stderr, status) in a fresh copy of the fixture."""
    with tempfile.TemporaryDirectory() as scratch:
        directory = pathlib.Path(scratch) / "w"
        shutil.copytree(FIXTURE, directory)
        # Programs of tables try all that they know where no engine executes them.
        environment = {"PATH": "/usr/bin:/bin", "EVERY": "1"}
        options = {"executable": exe, "cwd": directory, "env": environment}
        with open(directory / stdin if stdin else "/dev/null", "rb") as source:
            try:
                done = subprocess.run(
                    args, stdin=source, capture_output=True, timeout=60, check=False, **options
                )
            except subprocess.TimeoutExpired:
                return b"", b"", "timeout"
        return done.stdout, done.stderr, done.returncode


def show(what: str, ours: object, theirs: object) -> None:
    """Prints the lines that differ; - is ours, + is glibc."""

    def lines(output: object) -> list[str]:
        if isinstance(output, bytes):
            return output.decode(errors="backslashreplace").splitlines()
        return [str(output)]

    names = (f"{what} ours", f"{what} glibc")
    for line in difflib.unified_diff(lines(ours), lines(theirs), *names, lineterm="", n=0):
        print(f"    {line}")


def library_cases(
    tools: list[str], build: Build, work: pathlib.Path
) -> collections.abc.Iterator[Case]:
    """The tests' programs for libc, compiled like a debug build and like a distribution's."""
    ways = {"O0": ["-O0"], "fortified": ["-O2", "-D_FORTIFY_SOURCE=2"]}
    for source in sorted((TESTS / "libc").glob("*.c")):
        if tools and source.stem not in tools:
            continue
        for way, flags in ways.items():
            name = f"{source.stem}-{way}"
            bitcode, native = work / f"{name}.program.bc", work / f"{name}.native"
            common = ["clang-19", "-g", "-w", *flags, source]
            if not newer(bitcode, source):
                subprocess.run([*common, "-emit-llvm", "-c", "-o", bitcode], check=True)
            if not newer(native, source):
                subprocess.run([*common, "-lm", "-o", native], check=True)
            linked = build(name, bitcode, work)
            yield Case(f"{source.name} ({way})", linked, native, ["program"], "fruit")


def coreutils_cases(
    tools: list[str], build: Build, work: pathlib.Path
) -> collections.abc.Iterator[Case]:
    """The command lines of the tests' list."""
    for line in (TESTS / "differential/commands.txt").read_text().splitlines():
        if not line or line.startswith("#"):
            continue
        args, stdin = shlex.split(line), None
        if " < " in line:
            at = args.index("<")
            args, stdin = args[:at], args[at + 1]
        tool = args[0]
        if not tools or tool in tools:
            linked = build(tool, SUBJECTS / f"bc-19/{tool}.bc", work)
            yield Case(line, linked, SUBJECTS / "native" / tool, args, stdin)


def differs(case: Case, verbose: bool) -> bool:
    """Runs a case, and says so if it differs."""
    ours, theirs = (run(exe, case.args, case.stdin) for exe in (case.linked, case.native))
    if ours == theirs:
        return False
    print(f"DIFFERS {case.name}")
    for what, left, right in zip(("stdout", "stderr", "status"), ours, theirs):
        if verbose and left != right:
            show(what, left, right)
    return True


def main(help_text: str, folder: str, build: Build) -> int:
    """Runs all cases; executables are kept below .deps/FOLDER."""
    args = sys.argv[1:]
    if "-h" in args or "--help" in args:
        print(help_text)
        return 0
    tools = [arg for arg in args if arg != "-v"]
    work = ROOT / ".deps" / folder
    work.mkdir(parents=True, exist_ok=True)
    cases = itertools.chain(library_cases(tools, build, work), coreutils_cases(tools, build, work))
    found = [differs(case, "-v" in args) for case in cases]
    print(f"{found.count(False)} runs the same, {found.count(True)} different")
    return int(any(found))
