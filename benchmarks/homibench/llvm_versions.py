"""Bitcode of each clang in each build of homi: it must be read and compute the same as the CPU.

Builds homi with the newest LLVM that is installed beside the ordinary build with LLVM 19, compiles
the programs of tests/data/runtime/programs by every clang at hand at -O0, -O1 and -O2, runs each
under both builds, and compares standard output with gcc's native build of the same source.

  benchmarks/bench llvm-versions --build 19=EXE --build 22=EXE    with builds that are there

Status 1 if an output differs. Needs: scripts/setup newest-llvm; several clangs.
"""

import argparse
import collections
import pathlib
import shutil
import subprocess
import tempfile

from homibench import native, studies, tables
from homibench.places import ROOT, TEST_DATA

FLAGS = ["-D_GNU_SOURCE", "-w", "-fno-builtin"]
LIBRARIES = ["-lm", "-lcrypt", "-lresolv", "-lutil", "-latomic"]
Counts = collections.Counter[tuple[int, int, str]]


def build_of(text: str) -> tuple[int, pathlib.Path]:
    """VERSION=EXE"""
    version, _, executable = text.partition("=")
    if not version.isdigit() or not executable:
        raise argparse.ArgumentTypeError(f"`{text}` is not of the form 22=EXE")
    return int(version), pathlib.Path(executable).resolve()


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the command-line arguments."""
    add = parser.add_argument
    add(
        "--build",
        type=build_of,
        action="append",
        default=[],
        metavar="VERSION=EXE",
        help="use this homi instead of building one; repeatable",
    )
    add("--programs", default="*", metavar="PATTERN", help="only these (as in shells, no .c)")
    studies.add_study(parser)


def built(version: int) -> pathlib.Path:
    """The homi of that LLVM, from a target directory of its own."""
    target = ROOT / f"target/llvm{version}"
    command = ["cargo", "build", "--release", "--no-default-features"]
    command += ["--features", f"llvm{version}", "--target-dir", str(target)]
    if subprocess.run(command, cwd=ROOT, check=False).returncode != 0:
        raise SystemExit(f"homi could not be built with LLVM {version}")
    return target / "release/homi"


def fresh(directory: pathlib.Path) -> pathlib.Path:
    """The directory in which programs start."""
    shutil.rmtree(directory, ignore_errors=True)
    return native.starting_directory(directory)


def expected_output(source: pathlib.Path, scratch: pathlib.Path) -> bytes:
    """What the program prints natively."""
    executable = scratch / "native"
    command = ["gcc", *FLAGS, "-O1", source, "-o", executable, *LIBRARIES]
    if native.quietly(command).returncode != 0:
        raise SystemExit(f"gcc cannot compile {source}")
    outcome = native.run(executable, ["program"], fresh(scratch / "native-directory"), 120)
    return outcome.stdout if outcome else b""


def output_in(homi: pathlib.Path, bitcode: pathlib.Path, scratch: pathlib.Path) -> bytes | str:
    """What the program prints in homi, or why it was refused."""
    output = scratch / "out"
    shutil.rmtree(output, ignore_errors=True)
    command = [homi, "run", "--quiet", "--input-layouts", "off", "--max-time", "120s"]
    command += ["--output-dir", output]
    command += ["--env-file", native.environment_file(scratch), bitcode]
    done = native.quietly(command, cwd=fresh(scratch / "homi-directory"))
    if done.returncode == 0:
        return (output / "stdout.txt").read_bytes()
    reason = (done.stderr.decode(errors="replace").strip().splitlines() or ["?"])[-1]
    return "refused (newer)" if "newer than the LLVM" in reason else f"refused: {reason}"


class Matrix:
    """Counts of what came out, by clang and build."""

    def __init__(self, builds: dict[int, pathlib.Path], scratch: pathlib.Path) -> None:
        self.builds = builds
        self.scratch = scratch
        self.clangs = [version for version in range(14, 24) if shutil.which(f"clang-{version}")]
        self.counts: Counts = collections.Counter()
        self.notes: list[str] = []

    def add(self, source: pathlib.Path) -> None:
        """Compiles and runs a program in all ways."""
        expected = expected_output(source, self.scratch)
        for clang in self.clangs:
            for level in ("-O0", "-O1", "-O2"):
                bitcode = self.scratch / "program.bc"
                command = [f"clang-{clang}", *FLAGS, level, "-g", "-c", "-emit-llvm", source]
                compiled = native.quietly([*command, "-o", bitcode])
                for version, homi in self.builds.items():
                    kind = "not compiled"
                    if compiled.returncode == 0:
                        kind = self._kind(output_in(homi, bitcode, self.scratch), expected)
                    self.counts[clang, version, kind] += 1
                    if kind in ("different", "not compiled"):
                        name = f"{source.name} clang {clang} {level}"
                        self.notes.append(f"- {name}, homi with LLVM {version}: {kind}")

    @staticmethod
    def _kind(found: bytes | str, expected: bytes) -> str:
        if isinstance(found, str):
            return found
        return "same" if found == expected else "different"

    def lines(self) -> list[str]:
        """The table."""
        titles = ["clang", *(f"homi with LLVM {version}" for version in self.builds)]
        lines = tables.header(titles)
        for clang in self.clangs:
            cells = []
            for version in self.builds:
                keys = sorted(key for key in self.counts if key[:2] == (clang, version))
                cells.append(", ".join(f"{self.counts[key]} {key[2]}" for key in keys))
            lines.append(tables.row([clang, *cells]))
        return [*lines, "", *self.notes]


def run(arguments: argparse.Namespace) -> int:
    """Builds, compares and prints the table."""
    studies.check(arguments)
    there = [
        v for v in range(20, 24) if pathlib.Path(f"/usr/lib/llvm-{v}/bin/llvm-config").exists()
    ]
    given = dict(arguments.build)
    versions = sorted(given) or [19, *there[-1:]]
    if len(versions) < 2:
        raise SystemExit("no LLVM newer than 19 is installed: scripts/setup newest-llvm")
    builds = {version: given.get(version) or built(version) for version in versions}
    programs = sorted((TEST_DATA / "runtime/programs").glob(f"{arguments.programs}.c"))
    with tempfile.TemporaryDirectory() as directory:
        matrix = Matrix(builds, pathlib.Path(directory))
        for source in programs:
            matrix.add(source)
    print("\n".join(matrix.lines()))
    facts = [f"programs: {len(programs)} of tests/data/runtime/programs at -O0, -O1 and -O2"]
    question = "Does a build of homi read all older bitcode?"
    studies.write(arguments, question, "correctness", facts, matrix.lines())
    return int(any(kind == "different" for _, _, kind in matrix.counts))
