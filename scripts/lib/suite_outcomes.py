"""How the outcome of a suite's test is compared with native ones.

An outcome is how a program ended and what it wrote. Natively each test is run twice: what these
two runs write differently, word by word, is compared with nothing.
"""

import re
import typing

WORD = re.compile(rb"(-?[0-9A-Za-z_]+)")


class Outcome(typing.NamedTuple):
    """How a program ended (a status as a shell says it, or words) and what it wrote."""

    end: int | str
    stdout: bytes
    stderr: bytes


class Verdict(typing.NamedTuple):
    """A word for the table and the first difference."""

    word: str
    difference: str = ""


def line_difference(ours: bytes, one: bytes, other: bytes) -> bool:
    """Whether a line differs from a native one in a word that two native runs agree in."""
    if one == other:
        return ours != one
    words = [WORD.split(line) for line in (ours, one, other)]
    if len(words[1]) != len(words[2]):
        return False
    if len(words[0]) != len(words[1]):
        return True
    return any(b == c and a != b for a, b, c in zip(*words))


def excerpts(ours: bytes, native: bytes) -> tuple[bytes, bytes]:
    """Both lines, or of long ones what stands around the first byte that differs."""
    pairs = enumerate(zip(ours, native))
    at = next((at for at, (a, b) in pairs if a != b), min(len(ours), len(native)))
    start = at - 100 if at > 150 else 0
    return ours[start : start + 200], native[start : start + 200]


def stream_difference(name: str, ours: bytes, one: bytes, other: bytes) -> str:
    """The first difference of a stream, or nothing."""
    if ours == one:
        return ""
    lines = [stream.split(b"\n") for stream in (ours, one, other)]
    if len(lines[1]) != len(lines[2]):
        return ""
    for number, (a, b, c) in enumerate(zip(*lines), 1):
        if line_difference(a, b, c):
            shown, natively = excerpts(a, b)
            return f"{name} line {number}: {shown!r} natively {natively!r}"
    if len(lines[0]) != len(lines[1]):
        return f"{name}: {len(lines[0]) - 1} lines, natively {len(lines[1]) - 1}"
    return ""


def compared(ours: Outcome, one: Outcome, other: Outcome) -> Verdict:
    """How an outcome compares with two native ones."""
    found = [f"ends with {ours.end}, natively {one.end}"] if ours.end != one.end else []
    for name in ("stdout", "stderr"):
        streams = (getattr(outcome, name) for outcome in (ours, one, other))
        found += [difference] if (difference := stream_difference(name, *streams)) else []
    return Verdict("differs", "; ".join(found)) if found else Verdict("equal")
