"""Which public suites of tests judge our libc and kernel, where their tests lie, and how a test
is compiled. Lists of chosen tests are ours (tests/data/suites); the suites' own files are fetched
by `scripts/setup suite NAME` into .deps/suites and are part of no commit.

A line of a list: NAME WAYS [KEY=VALUE...] [# REASON]. WAYS has a sign for each of the three ways
(library alone, with the kernel, in homi): = must end as natively, ~ is tried and may end
otherwise, - is left out. Keys: flags, args, env (NAME=VALUE), files (of the suite, put into the
test's folder), stdin (one of these files); quotes group several arguments.
"""

import collections.abc
import contextlib
import pathlib
import shlex
import subprocess
import typing

import library_checks as checks

SUITES = checks.ROOT / ".deps/suites"
LISTS = checks.ROOT / "tests/data/suites"
ENVIRONMENT = {"PATH": "/usr/bin:/bin"}
BUILT = checks.ROOT / ".deps/check-suites"
# Seconds that a compiler may take for one file.
LONGEST = 100
NATIVE_LIBRARIES = "-lm -lpthread -lrt -ldl -lcrypt -lresolv".split()


class Test(typing.NamedTuple):
    """A line of a list."""

    name: str
    ways: str
    keys: dict[str, list[str]]
    reason: str

    def key(self, name: str) -> list[str]:
        """The values of one key."""
        return self.keys.get(name, [])

    @property
    def environment(self) -> dict[str, str]:
        """The variables that the test sees."""
        return ENVIRONMENT | dict(pair.split("=", 1) for pair in self.key("env"))


class Suite(typing.NamedTuple):
    """A suite: its folder, how a name becomes a source, flags, which files are linked with each
    test, and how long a test may take natively. Of those files the ones that do not compile outside
    of the suite's own build are left out, and those whose names begin with one of `apart`."""

    name: str
    folder: str
    source: str
    flags: list[str]
    support: list[str]
    apart: tuple[str, ...] = ()
    seconds: int = 10

    @property
    def root(self) -> pathlib.Path:
        """Where its files are."""
        return SUITES / self.name / self.folder

    @property
    def listed(self) -> pathlib.Path:
        """Its list of tests."""
        return LISTS / f"{self.name}.txt"

    def sources(self) -> list[pathlib.Path]:
        """The files that are linked with each test."""
        found = [source for pattern in self.support for source in sorted(self.root.glob(pattern))]
        return [source for source in found if not source.stem.startswith(self.apart)]


COMMON = "src/common"
LIBC_TEST = Suite(
    name="libc-test",
    folder=".",
    source="src/{}.c",
    flags=[f"-I{COMMON}"],
    support=[f"{COMMON}/[!mr]*.c", f"{COMMON}/memfill.c", f"{COMMON}/rand.c"],
)
POSIX = Suite(
    name="posix",
    folder="testcases/open_posix_testsuite",
    source="conformance/interfaces/{}.c",
    # Each defines a function, which is its `main` here.
    flags=["-std=gnu99", "-D_POSIX_C_SOURCE=200809L", "-D_XOPEN_SOURCE=700"]
    + ["-Iinclude", "-Dtest_main=main"],
    support=[],
)
GLIBC = Suite(
    name="glibc",
    folder=".",
    source="{}.c",
    flags=["-include", f"{LISTS}/glibc/before.h", "-Iheaders"]
    + [f"-idirafter{folder}" for folder in ("support", ".", f"{LISTS}/glibc")]
    + [f"-idirafter{folder}" for folder in ("sysdeps/x86", "sysdeps/generic")],
    support=["support/*.c"],
    # Programs of their own.
    apart=("README", "tst-", "echo-", "links-dso-", "shell-", "test-", "true-"),
)
ALL = {suite.name: suite for suite in (LIBC_TEST, POSIX, GLIBC)}


def read_list(suite: Suite) -> list[Test]:
    """The tests of a suite's list."""
    tests = []
    for line in suite.listed.read_text().splitlines():
        entry, _, reason = line.partition(" # ")
        if entry.startswith("#") or not entry.strip():
            continue
        name, ways, *pairs = shlex.split(entry)
        keys = dict(pair.split("=", 1) for pair in pairs)
        split = {key: shlex.split(value) for key, value in keys.items()}
        tests.append(Test(name, ways, split, reason.strip()))
    return tests


class NotBuilt(Exception):
    """A program that no compiler or linker makes; its text is the first error."""


def make(command: collections.abc.Sequence[object], where: pathlib.Path) -> None:
    """Runs a compiler or linker, whose first error becomes the message."""
    try:
        done = subprocess.run(
            command, cwd=where, capture_output=True, text=True, check=False, timeout=LONGEST
        )
    except subprocess.TimeoutExpired:
        raise NotBuilt(f"{command[0]} takes over {LONGEST} s") from None
    if done.returncode:
        lines = done.stderr.splitlines()
        errors = [line for line in lines if "error" in line or "undefined" in line]
        raise NotBuilt((errors or lines or ["no message"])[0].strip())


def compiled(
    suite: Suite, source: pathlib.Path, folder: pathlib.Path, flags: list[str]
) -> pathlib.Path:
    """A file of a suite as bitcode in a folder, made if it is not there."""
    target = folder / f"{source.stem}.bc"
    if not checks.newer(target, source):
        folder.mkdir(parents=True, exist_ok=True)
        shown = source.relative_to(suite.root) if source.is_relative_to(suite.root) else source
        command = ["clang-19", "-g", "-w", "-O0", "-emit-llvm", "-c", *suite.flags, *flags]
        make([*command, f"-idirafter{source.parent}", shown, "-o", target], suite.root)
    return target


def native_object(bitcode: pathlib.Path) -> pathlib.Path:
    """The object that the machine's compiler makes of a file's bitcode."""
    target = bitcode.with_suffix(".o")
    if not checks.newer(target, bitcode):
        make(["clang-19", "-w", "-c", bitcode, "-o", target], bitcode.parent)
    return target


def support(suite: Suite) -> list[pathlib.Path]:
    """What is linked with each test, as bitcode of its files."""
    folder, found = BUILT / suite.name / "support", []
    for source in suite.sources():
        with contextlib.suppress(NotBuilt):
            found.append(compiled(suite, source, folder, []))
    return found


def other_machine() -> pathlib.Path:
    """The library that shows a native run another machine, made if it is not there."""
    source, target = pathlib.Path(__file__).with_name("other_machine.c"), BUILT / "other_machine.so"
    if not checks.newer(target, source):
        BUILT.mkdir(parents=True, exist_ok=True)
        make(["clang-19", "-w", "-O1", "-shared", "-fPIC", source, "-o", target], BUILT)
    return target


class Support(typing.NamedTuple):
    """What is linked with each test: objects in an archive, and one module of bitcode."""

    archive: list[pathlib.Path]
    bitcode: list[pathlib.Path]


def prepared(suite: Suite) -> Support:
    """What is linked with each test, made if it is not there."""
    other_machine()
    parts = support(suite)
    if not parts:
        return Support([], [])
    archive, whole = (BUILT / suite.name / f"support{suffix}" for suffix in (".a", ".bc"))
    if not checks.newer(whole, *parts):
        make([checks.LINK, *parts, "-o", whole], suite.root)
        make(["ar", "rcs", archive, *map(native_object, parts)], suite.root)
    return Support([archive], [whole])


class Programs(typing.NamedTuple):
    """What a test is compiled to: the native program, and bitcode."""

    native: pathlib.Path
    bitcode: pathlib.Path


def programs(suite: Suite, test: Test, library: Support) -> Programs:
    """A test's native program and its bitcode, each linked with the suite's support."""
    folder = BUILT / suite.name / test.name
    source = suite.root / suite.source.format(test.name)
    alone = compiled(suite, source, folder, test.key("flags"))
    (folder / "linked").mkdir(exist_ok=True)
    native, bitcode = folder / "native", folder / "linked/test.bc"
    if not checks.newer(native, alone):
        parts = [native_object(alone), *library.archive]
        make(["clang-19", "-w", *parts, *NATIVE_LIBRARIES, "-o", native], suite.root)
    if not checks.newer(bitcode, alone):
        # Only what the test needs of a suite's library.
        make([checks.LINK, "--only-needed", alone, *library.bitcode, "-o", bitcode], suite.root)
    return Programs(native, bitcode)
