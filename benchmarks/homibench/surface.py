"""Parts of libc and the modeled kernel that C programs compare with the machine's own.

The programs of tests/data (runtime/programs, libc and whole) run natively and in homi in the tests,
with equal output. This runs them in homi with a profile and notes which functions of libc.bc are
entered and which rows of the kernel's table of system calls (runtime/kernel/calls.h) are
reached. A function that a program calls by name counts too: homi's own built-ins stand for some
(memcpy), and some system calls are answered by a constant.

Prints a table by family (musl's folders), the functions of each that no program reaches, and a
table of system calls. Needs: cargo build --release; scripts/setup tools runtime.
"""

import argparse
import collections
import pathlib
import re
import subprocess
import tempfile

from homibench import engines, native, studies, tables
from homibench.places import ROOT, TEST_DATA

OBJECTS = ROOT / ".deps/runtime/musl/obj/src"
TABLE = ROOT / "runtime/kernel/calls.h"
FLAGS = {
    "runtime/programs": ["-D_GNU_SOURCE", "-w", "-O1", "-fno-builtin"],
    "libc": ["-w", "-O2", "-D_FORTIFY_SOURCE=2"],
    "whole": ["-w", "-D_GNU_SOURCE", "-O1"],
}
Programs = dict[object, set[str]]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the command-line arguments."""
    parser.add_argument("--folder", choices=FLAGS, help="only the programs of one folder")
    engines.add_homi(parser)
    studies.add_study(parser)


def families() -> dict[str, str]:
    """Function to family, of what libc.bc shows to programs."""
    found: dict[str, str] = {}
    nm = ["/usr/lib/llvm-19/bin/llvm-nm", "--defined-only", "--extern-only"]
    for folder in sorted(path for path in OBJECTS.iterdir() if path.is_dir()):
        command = [*nm, "--format=just-symbols", *sorted(folder.rglob("*.bc"))]
        text = subprocess.run(command, capture_output=True, text=True, check=True).stdout
        for name in text.split():
            if not name.endswith(":") and not name.startswith("_"):
                found.setdefault(name, folder.name)
    return found


def profile(
    arguments: argparse.Namespace, source: pathlib.Path, flags: list[str]
) -> tuple[set[str], set[int]]:
    """(functions entered, lines of the table reached) of one program in homi."""
    with tempfile.TemporaryDirectory() as name:
        scratch = pathlib.Path(name)
        bitcode, out = scratch / "program.bc", scratch / "out"
        compile_it = ["clang-19", *flags, "-g", "-emit-llvm", "-c", source, "-o", bitcode]
        subprocess.run(compile_it, check=True)
        command = [arguments.homi, "run", "--quiet", "--input-layouts", "off", "--write-callgrind"]
        command += ["--max-time", "120s", "--output-dir", out, "--env-file"]
        command += [native.environment_file(scratch), bitcode]
        native.quietly(command, cwd=native.starting_directory(scratch / "directory"))
        return entered((out / "run.istats").read_text())


def entered(text: str) -> tuple[set[str], set[int]]:
    """The same, from a file in callgrind's format."""
    functions, lines, file, after_call = set(), set(), "", False
    for line in text.splitlines():
        if line.startswith(("fl=", "fi=")):
            file = line[3:]
        elif line.startswith("fn="):
            functions.add(line[3:])
        elif line.startswith("calls="):
            after_call = True
        elif line[:1].isdigit():
            position = line.split()
            if file.endswith(TABLE.name) and not after_call and int(position[2]) > 0:
                lines.add(int(position[1]))
            after_call = False
    return functions, lines


def calls_of(source: pathlib.Path) -> set[str]:
    """What a program calls by name."""
    return set(re.findall(r"\b([a-z_][a-z0-9_]*)\(", source.read_text()))


def system_calls() -> list[tuple[int, str, str]]:
    """(line, text of the answer, name) of each row of the table."""
    rows = []
    text = TABLE.read_text()
    for row in re.finditer(r"^(SYSCALL|REFUSED)\((.*(?:\n {8}.*)?)\)$", text, re.MULTILINE):
        words = re.split(r",\s+", row[2], maxsplit=4 if row[1] == "SYSCALL" else 2)
        rows.append((text.count("\n", 0, row.start()) + 1, words[-1], words[1]))
    return rows


class Surface:
    """Which programs reach what."""

    def __init__(self) -> None:
        self.programs = 0
        self.functions: Programs = collections.defaultdict(set)
        self.table: Programs = collections.defaultdict(set)
        self.named: Programs = collections.defaultdict(set)

    def add(self, arguments: argparse.Namespace, source: pathlib.Path, flags: list[str]) -> None:
        """Runs a program."""
        functions, lines = profile(arguments, source, flags)
        self.programs += 1
        for found, where in ((functions, self.functions), (lines, self.table)):
            for item in found:
                where[item].add(source.stem)
        for name in calls_of(source):
            self.named[name].add(source.stem)

    def libc_lines(self) -> list[str]:
        """The table of families and what is not reached."""
        by_family, missing = collections.defaultdict(list), []
        for function, family in families().items():
            by_family[family].append(function)
        rows = tables.header(["family", "functions", "reached", "by"])
        for family, functions in sorted(by_family.items()):
            users = {name: self.functions[name] | self.named[name] for name in functions}
            seen = [name for name in functions if users[name]]
            sources = sorted(set().union(*users.values()))
            rows.append(tables.row([family, len(functions), len(seen), ", ".join(sources) or "-"]))
            absent = sorted(set(functions) - set(seen))
            missing += [f"- {family}: {' '.join(absent)}"] if absent else []
        return [*rows, "", "Not reached:", "", *missing]

    def kernel_lines(self) -> list[str]:
        """The table of system calls."""
        rows = tables.header(["system calls", "the model's answer", "reached by"])
        unreached = 0
        for line, answer, name in system_calls():
            sources = self.table[line] | self.named[name]
            unreached += not sources
            shown = f"`{tables.escaped(answer)}`"
            rows.append(tables.row([name, shown, ", ".join(sorted(sources)) or "none"]))
        text = f"{unreached} rows of the table are reached by none of the programs."
        return [*rows, "", text]


def run(arguments: argparse.Namespace) -> int:
    """Runs all programs and prints the tables."""
    studies.check(arguments)
    arguments.homi = engines.needed(arguments.homi)
    if not OBJECTS.is_dir():
        raise SystemExit(f"{OBJECTS} is missing: scripts/setup tools runtime")
    surface = Surface()
    for folder in [arguments.folder] if arguments.folder else FLAGS:
        for source in sorted((TEST_DATA / folder).glob("*.c")):
            surface.add(arguments, source, FLAGS[folder])
    lines = [f"{surface.programs} programs. Families of libc:", "", *surface.libc_lines()]
    lines += ["", "System calls:", "", *surface.kernel_lines()]
    print("\n".join(lines))
    question = "How many libc functions and system calls are compared with the machine's own?"
    studies.write(arguments, question, "correctness", [], lines)
    return 0
