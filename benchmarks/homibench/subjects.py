"""The programs that are measured: which there are, their words, and where their builds lie.

What belongs to a program is data (benchmarks/subjects.toml); here it is read, and builds are
looked for below .deps/subjects, whichever package a program belongs to.

A program may also be a file, PLACE/NAME.bc: then its words are in PLACE/NAME.words (none if there is
no such file), and it sees the files of PLACE/NAME.dir if that exists.
"""

import functools
import pathlib
import shlex
import tomllib

from homibench.places import BENCHMARKS, SUBJECTS

REMEDY = "scripts/setup subjects all; scripts/setup subject all"


@functools.cache
def _table() -> dict:
    return tomllib.loads((BENCHMARKS / "subjects.toml").read_text())


def arguments(name: str) -> list[str]:
    """The symbolic words of that name: usual, small or foreign."""
    return shlex.split(_table()["arguments"][name])


def words_before(program: str) -> list[str]:
    """What the program gets before its symbolic words."""
    return shlex.split(_table()["words_before"].get(program, ""))


def is_file(program: str) -> bool:
    """Whether the program is given as a file of bitcode."""
    return program.endswith(".bc")


def name_of(program: str) -> str:
    """What the program is called."""
    return pathlib.Path(program).stem if is_file(program) else program


def words(program: str) -> list[str]:
    """All that the program gets."""
    if not is_file(program):
        return [*words_before(program), *arguments("usual")]
    path = pathlib.Path(program).with_suffix(".words")
    return shlex.split(path.read_text()) if path.exists() else []


def options(program: str) -> list[str]:
    """What homi is told to run it."""
    place = pathlib.Path(program).with_suffix(".dir")
    return ["--run-in-dir", str(place.resolve())] if is_file(program) and place.exists() else []


def programs(study: str) -> list[str]:
    """The programs that a study kind takes if it is not told any."""
    return list(_table()["programs"][study])


def debian() -> dict[str, list[str]]:
    """Debian's source packages, each with its programs."""
    return dict(_table()["debian"])


def main_file(tool: str) -> str:
    """The end of the path of the file that holds a tool's own code."""
    return _table()["main_file"].get(tool, f"src/{tool}.c")


def _packages(subjects: pathlib.Path) -> list[pathlib.Path]:
    return sorted(path for path in subjects.glob("*") if path.is_dir())


def bitcode(
    program: str, clang: str = "19", subjects: pathlib.Path = SUBJECTS
) -> pathlib.Path | None:
    """The program's bitcode by that version of clang; none if it is not built."""
    found = (package / f"bc-{clang}/{program}.bc" for package in _packages(subjects))
    return next((path for path in found if path.exists()), None)


def native(program: str, subjects: pathlib.Path = SUBJECTS) -> pathlib.Path | None:
    """The program as gcc makes it on glibc; none if it is not built."""
    found = (package / "native" / program for package in _packages(subjects))
    return next((path for path in found if path.exists()), None)


def counted(program: str, subjects: pathlib.Path = SUBJECTS) -> pathlib.Path | None:
    """The program as `gcc --coverage` makes it; none if it is not built."""
    places = (
        package / "gcov" / place for package in _packages(subjects) for place in ("src", "bin")
    )
    return next((place / program for place in places if (place / program).exists()), None)


def needed_bitcode(program: str, clang: str = "19") -> pathlib.Path:
    """The program's bitcode; ends with the remedy if it is not built."""
    if is_file(program):
        return pathlib.Path(program)
    path = bitcode(program, clang)
    if path is None:
        raise SystemExit(f"{program} is not built for clang {clang}: HOMI_CLANG={clang} {REMEDY}")
    return path
