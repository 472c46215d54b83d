"""The measured programs: their names, arguments and builds.

What belongs to a program is data (benchmarks/subjects.toml); here it is read, and builds are
looked for below .deps/subjects, whichever package a program belongs to.
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
    """The symbolic arguments of that name: usual, small or foreign."""
    return shlex.split(_table()["arguments"][name])


def args_before(program: str) -> list[str]:
    """What the program gets before its symbolic arguments."""
    return shlex.split(_table()["args_before"].get(program, ""))


def all_args(program: str) -> list[str]:
    """All that the program gets."""
    return [*args_before(program), *arguments("usual")]


def programs(study: str) -> list[str]:
    """The programs that a study kind takes if it is not told any."""
    return list(_table()["programs"][study])


def debian() -> dict[str, list[str]]:
    """Debian's source packages, each with its programs."""
    return dict(_table()["debian"])


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
    path = bitcode(program, clang)
    if path is None:
        raise SystemExit(f"{program} is not built for clang {clang}: HOMI_CLANG={clang} {REMEDY}")
    return path
