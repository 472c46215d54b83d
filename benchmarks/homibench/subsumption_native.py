"""Native behavior of a random program on all inputs, and of homi's tests.

`Outcomes` are made by one process, in which a place that fails jumps back to the loop over the
inputs. How rarely a place fails is set by a first process, which counts the values at each.
"""

import collections
import dataclasses
import pathlib
import random
import subprocess

from homibench import ktest, subsumption_programs
from homibench.places import HEADERS


@dataclasses.dataclass(frozen=True)
class Outcomes:
    """By input: the place that fails or -1, and the sides of conditions as bits."""

    bits: int
    places: list[int]
    sides: list[int]

    def all_sides(self) -> int:
        """The sides that some input takes."""
        taken = 0
        for one in set(self.sides):
            taken |= one
        return taken

    def all_places(self) -> set[int]:
        """The places that some input makes fail."""
        return set(self.places) - {-1}

    def input_of(self, test: pathlib.Path) -> int:
        """The number of the input of a test."""
        return int.from_bytes(ktest.objects(test)["in"], "little") & ((1 << self.bits) - 1)

    def example(self, place: int) -> str:
        """The first input that makes the place fail, and how many do."""
        return f"place {place}: input {self.places.index(place)}, {self.places.count(place)} in all"

    def first_with(self, side: int) -> int:
        """The first input that takes a side."""
        return next(n for n, sides in enumerate(self.sides) if sides >> side & 1)


# Names of homi's errors for each kind of location.
ENDS = {"w": {"assert"}, "i": {"ptr"}, "z": {"div"}, "m": {"ptr", "free", "read_only"}}
# Programs are drawn so often until at most one input of FEW fails.
ATTEMPTS, FEW = 6, 4
# A location fails for at most one in SHARE values that reach it.
SHARE = 8
FLAGS = ["-w", "-g", "-fwrapv", "-fno-strict-aliasing", "-fno-delete-null-pointer-checks"]
FLAGS += ["-frounding-math", "-fno-builtin"]


def limit_of(kind: str, counts: collections.Counter[int], lot: random.Random) -> str:
    """When a place of a kind fails, given the values that came there: on few inputs or on none."""
    if kind == "m":
        return "=0"
    values = sorted(counts) or [0]
    if kind == "i":
        few = [f">{value}" for value in values[-4:-1]]
        none = [f">{values[-1]}", f">{values[-1] + 1}"]
    else:
        sign = "z" if kind == "z" else "="
        few = [f"{sign}{value}" for value in sorted(values, key=lambda value: counts[value])[:3]]
        inside = range(max(values[0], values[-1] - 99) - 1, values[-1] + 2)
        none = [f"{sign}{value}" for value in inside if value not in counts]
        if kind == "w" and len(values) > 1:
            few += [f">{values[-2]}", f"<{values[1]}"]
            none += [f">{values[-1]}", f"<{values[0]}"]
    most = counts.total() // SHARE
    few = [one for one in few if sum(counts[v] for v in values if fails(one, v)) <= most]
    return lot.choice(few if few and lot.random() < 0.65 else none)


def fails(limit: str, value: int) -> bool:
    """Whether a place with a limit fails on a value."""
    bound = int(limit[1:])
    if limit[0] in "<>":
        return value > bound if limit[0] == ">" else value < bound
    return value == bound


def _limits(program: subsumption_programs.Program, said: str, seed: int) -> list[str]:
    counts: dict[int, collections.Counter[int]] = collections.defaultdict(collections.Counter)
    for line in said.splitlines():
        place, value, count = map(int, line.split())
        counts[place][value] += count
    lot = random.Random(seed + 1)
    return [
        limit_of(kind, counts[n], lot) for n, kind in enumerate(program.places)
    ]


def prepared(
    seed: int, clang: str, directory: pathlib.Path
) -> tuple[subsumption_programs.Program, Outcomes, pathlib.Path]:
    """Program `seed`, what it does natively, and its bitcode."""
    for attempt in range(ATTEMPTS):
        program = subsumption_programs.Program(seed, attempt)
        limits, native = _outcomes(program, clang, directory, seed)
        failing = sum(place >= 0 for place in native.places)
        if failing * FEW <= len(native.places):
            break
    return program, native, _bitcode(program, limits, clang, directory)


def _outcomes(
    program: subsumption_programs.Program, clang: str, directory: pathlib.Path, seed: int
) -> tuple[list[str], Outcomes]:
    """The limits of the program's places, and what it does with them."""
    source, executable = directory / "native.c", directory / "native.exe"
    source.write_text(program.text(None))
    subprocess.run([clang, *FLAGS, "-O0", source, "-lm", "-o", executable], check=True)

    def output(args: list[str]) -> str:
        done = subprocess.run([executable, *args], capture_output=True, text=True, check=True)
        return done.stdout

    limits = _limits(program, output([]), seed)
    lines = [line.split() for line in output(limits).splitlines()]
    sides = [sum(int(word, 16) << (64 * k) for k, word in enumerate(line[1:])) for line in lines]
    return limits, Outcomes(program.bits, [int(line[0]) for line in lines], sides)


def _bitcode(
    program: subsumption_programs.Program, limits: list[str], clang: str, directory: pathlib.Path
) -> pathlib.Path:
    """The program for homi."""
    source, target = directory / "program.c", directory / "program.bc"
    source.write_text(program.text(limits))
    level = [program.level]
    if program.level == "-O0":
        level += ["-Xclang", "-disable-O0-optnone"]
    emit = ["-I", HEADERS, "-c", "-emit-llvm", source, "-o", target]
    subprocess.run([clang, *FLAGS, *level, *emit], check=True)
    return target


def ended_as(test: pathlib.Path) -> tuple[str | None, str]:
    """The ending of a test: the kind of bug that homi says it has, `early`, or none; its text."""
    for end in ktest.kinds_of_files(test):
        if end.endswith(".err"):
            text = test.with_suffix("." + end).read_text()
            return end.removesuffix(".err"), text.partition("\n")[0]
        if end not in ("ktest", "cov", "path", "kquery", "smt2"):
            return "early", ""
    return None, ""


def wrong_test(
    test: pathlib.Path, place: int, kinds: list[str], found: set[int], subsumes: bool
) -> str | None:
    """What homi says of a test that natively is not so; `place` is the one that fails there."""
    end, said = ended_as(test)
    if end == "early":
        return None
    if end is None:
        # What a subsumed path would have found must have been reported; that is checked for all.
        fine = place == -1 or subsumes
        return None if fine else f"{test.stem}: no bug, natively place {place}"
    if place == -1:
        return f"{test.stem}: {end}, natively none"
    if end not in ENDS[kinds[place]] or (end == "assert" and not said.endswith(f": {place}")):
        return f"{test.stem}: {end} ({said}), natively place {place}"
    found.add(place)
    return None
