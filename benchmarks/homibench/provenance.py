"""Provenance of a result: the commit of this checkout, the machine and the day."""

import datetime
import functools
import os
import pathlib
import platform
import subprocess

from homibench.places import ROOT


def _git(*args: str) -> str:
    command = ["git", "-C", str(ROOT), *args]
    return subprocess.run(command, capture_output=True, text=True, check=False).stdout.strip()


def dirty() -> bool:
    """Whether files that git knows were changed since the commit, evidence itself apart."""
    status = ("status", "--porcelain", "--untracked-files=no", "--", ".", ":!benchmarks/studies")
    return bool(_git(*status, ":!benchmarks/RESULTS.md"))


@functools.cache
def commit() -> str:
    """The commit of this checkout when first asked for, with a mark if files were changed since.

    Whatever changes in the tree while a study is made, the executable is the same.
    """
    head = _git("rev-parse", "--short=7", "HEAD") or "unknown"
    return head + (" with changes" if dirty() else "")


def machine() -> str:
    """The processor's model, how many there are, and the system."""
    model = platform.processor() or platform.machine()
    try:
        lines = pathlib.Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        lines = []
    for line in lines:
        if line.startswith("model name"):
            model = line.split(":", 1)[1].strip()
            break
    return f"{model}, {os.cpu_count()} processors, Linux {platform.release()}"


def load() -> float:
    """The load of the last minute."""
    return os.getloadavg()[0]


def now() -> datetime.datetime:
    """The time, in UTC."""
    return datetime.datetime.now(datetime.timezone.utc)
