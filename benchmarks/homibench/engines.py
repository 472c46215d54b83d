"""The engines homi and KLEE: their location, command lines and messages.

Processes are started and measured here and nowhere else: wall time, processor time of the process
and its children, and standard error.
"""

import argparse
import dataclasses
import json
import os
import pathlib
import re
import resource
import shutil
import subprocess
import time

from homibench.places import RELEASE

KLEE_POSIX = ["--posix-runtime", "--libc=uclibc", "--external-calls=concrete"]


@dataclasses.dataclass(frozen=True)
class Ended:
    """A process that ended: seconds of the wall and of the processor, status, standard error."""

    wall: float
    cpu: float
    status: int
    text: str


def add_homi(parser: argparse.ArgumentParser) -> None:
    """Adds the option that selects the build of homi."""
    options = {"type": pathlib.Path, "default": RELEASE, "metavar": "FILE"}
    parser.add_argument("--homi", help="homi's executable (default: the release build)", **options)


def add_klee(parser: argparse.ArgumentParser) -> None:
    """Adds the options that select the KLEE to compare with."""
    parser.add_argument("--klee", default=shutil.which("klee"), help="KLEE (default: klee on PATH)")
    parser.add_argument("--no-klee", action="store_true", help="leave KLEE out")


def needed(homi: pathlib.Path) -> pathlib.Path:
    """homi's executable as an absolute path; ends with the remedy if there is none."""
    if not os.access(homi, os.X_OK):
        raise SystemExit(f"{homi} is missing: cargo build --release")
    return homi.resolve()


def needed_tool(name: str, remedy: str) -> str:
    """The name of a program on PATH; ends with the remedy if it is not there."""
    if not shutil.which(name):
        raise SystemExit(f"{name} is missing: {remedy}")
    return name


def measured(command: list, cwd: pathlib.Path) -> Ended:
    """Runs a command; its standard output is dropped, as programs print whatever bytes they get."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    started = time.monotonic()
    args = [str(arg) for arg in command]
    done = subprocess.run(
        args,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        cwd=cwd,
        check=False,
    )
    wall = time.monotonic() - started
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return Ended(wall, cpu, done.returncode, done.stderr.decode(errors="replace"))


def figure(text: str, name: str) -> int | None:
    """A figure of the last lines, which both engines print alike (`done: NAME = 17`)."""
    found = re.findall(rf"done: {name} = (\d+)", text)
    return int(found[-1]) if found else None


def last_line(text: str, otherwise: str) -> str:
    """The last line that says something."""
    return (text.strip().splitlines() or [otherwise])[-1]


def summary(output: pathlib.Path) -> dict | None:
    """A run's summary.json; none if it left none."""
    try:
        return json.loads((output / "summary.json").read_text())
    except (OSError, ValueError):
        return None
