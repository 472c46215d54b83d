#!/usr/bin/env python3
"""Applies patch files (unified diffs) exactly as they are written.

usage: patching.py TREE PATCH...        changes files below TREE, or none of them

Text before and between the changes of files says what they are for. A line that a change keeps or
removes must stand where the patch says; nothing is searched for and nothing is guessed. The release
that is patched is pinned, so a change that has moved was written for another one and is to be
looked at again.
"""

import pathlib
import re
import sys
from collections.abc import Iterator

HUNK = re.compile(r"@@ -(\d+)(?:,(\d+))? \+\d+(?:,(\d+))? @@")


class PatchError(Exception):
    """What keeps a patch from being applied, with its place in the patch."""


class Hunk:
    """Lines that stand together, as a patch has them."""

    def __init__(self, start: int, place: int) -> None:
        self.start = start  # in the old file, from 1
        self.place = place  # of the first line in the patch, from 1
        self.lines: list[str] = []


def hunks_of(name: str, lines: list[str], at: int) -> tuple[list[Hunk], int]:
    """The hunks that follow a file's name, and the line behind them."""
    found = []
    while at < len(lines) and lines[at].startswith("@@"):
        head = HUNK.match(lines[at])
        if not head:
            raise PatchError(f"{name}:{at + 1}: this is no head of a hunk")
        old, new = (int(head[part] or 1) for part in (2, 3))
        hunk = Hunk(int(head[1]), at + 2)
        while old > 0 or new > 0:
            at += 1
            sign = lines[at][:1] if at < len(lines) else ""
            if sign not in (" ", "-", "+") or not sign:
                raise PatchError(f"{name}:{at + 1}: the hunk ends too early or has another line")
            old -= sign != "+"
            new -= sign != "-"
            hunk.lines.append(lines[at])
        found.append(hunk)
        at += 1
    return found, at


def changes_of(name: str, text: str) -> Iterator[tuple[str, list[Hunk]]]:
    """Each changed file of a patch with its hunks."""
    lines = text.split("\n")
    at = 0
    while at < len(lines):
        if not lines[at].startswith("+++ ") or at == 0 or not lines[at - 1].startswith("--- "):
            if lines[at].startswith("@@"):
                raise PatchError(f"{name}:{at + 1}: a hunk without a file")
            at += 1
            continue
        path = lines[at][4:].split("\t")[0].removeprefix("b/")
        hunks, at = hunks_of(name, lines, at + 1)
        if not hunks:
            raise PatchError(f"{name}:{at}: nothing is changed in {path}")
        yield path, hunks


def changed(name: str, path: str, text: str, hunks: list[Hunk]) -> str:
    """A file's text with the hunks applied."""
    old = text.split("\n")
    new: list[str] = []
    done = 0  # lines of the old text that are in the new one or left out
    for hunk in hunks:
        new += old[done : hunk.start - 1]
        done = max(done, hunk.start - 1)
        for offset, line in enumerate(hunk.lines):
            if line[0] == "+":
                new.append(line[1:])
                continue
            there = old[done] if done < len(old) else None
            if there != line[1:]:
                found = "does not exist" if there is None else f"is {there!r}"
                raise PatchError(
                    f"{name}:{hunk.place + offset}: does not apply to {path}: "
                    f"line {done + 1} {found}, not {line[1:]!r}"
                )
            new += [there] if line[0] == " " else []
            done += 1
    return "\n".join(new + old[done:])


def apply(patch: pathlib.Path, files: dict[str, bytes]) -> None:
    """Changes the files that a patch names."""
    known = 0
    for path, hunks in changes_of(patch.name, patch.read_text()):
        if path not in files:
            raise PatchError(f"{patch.name}: there is no {path}")
        text = files[path].decode(errors="surrogateescape")
        text = changed(patch.name, path, text, hunks)
        files[path] = text.encode(errors="surrogateescape")
        known += 1
    if not known:
        raise PatchError(f"{patch.name}: changes no file")


def main(tree: pathlib.Path, patches: list[pathlib.Path]) -> None:
    """Applies patches to a folder."""
    paths = [path for path in tree.rglob("*") if path.is_file()]
    files = {str(path.relative_to(tree)): path.read_bytes() for path in paths}
    before = dict(files)
    try:
        for patch in patches:
            apply(patch, files)
    except PatchError as error:
        sys.exit(f"patching.py: {error}")
    for name, content in files.items():
        if before[name] != content:
            (tree / name).write_bytes(content)


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    main(pathlib.Path(sys.argv[1]), [pathlib.Path(word) for word in sys.argv[2:]])
