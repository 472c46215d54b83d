"""Reads .ktest files, KLEE's format: big-endian numbers, strings with their length before them."""

import collections
import functools
import os
import pathlib
import struct


class _Reader:
    def __init__(self, data: bytes) -> None:
        self.data = data
        self.at = 5

    def number(self) -> int:
        self.at += 4
        return struct.unpack_from(">I", self.data, self.at - 4)[0]

    def string(self) -> bytes:
        length = self.number()
        self.at += length
        return self.data[self.at - length : self.at]


def objects(path: pathlib.Path) -> dict[str, bytes]:
    """The bytes of each symbolic object, by name."""
    data = path.read_bytes()
    if data[:5] not in (b"KTEST", b"BOUT\n"):
        raise SystemExit(f"{path} is no test")
    reader = _Reader(data)
    version = reader.number()
    for _ in range(reader.number()):
        reader.string()
    if version >= 2:
        reader.number(), reader.number()
    pairs = [(reader.string().decode(), reader.string()) for _ in range(reader.number())]
    return dict(pairs)


def command_line(path: pathlib.Path) -> tuple[bytes, ...] | None:
    """The arguments that a test stands for; none if it has no symbolic ones."""
    named = objects(path)
    if "n_args" not in named:
        return None
    count = struct.unpack("<i", named["n_args"])[0]
    # Both engines set an argument's last byte to zero after it was made symbolic; what a test has
    # there means nothing.
    args = [named.get(f"arg{number:02}", b"")[:-1] for number in range(count)]
    return tuple(arg.split(b"\0", 1)[0] for arg in args)


@functools.lru_cache(maxsize=1)
def _files_by_test(directory: pathlib.Path, _changed: int) -> dict[str, list[str]]:
    """The endings of the files of each test in a directory that was changed at a time last."""
    kinds: dict[str, list[str]] = collections.defaultdict(list)
    for name in os.listdir(directory):
        test, _, kind = name.partition(".")
        kinds[test].append(kind)
    return kinds


def kinds_of_files(test: pathlib.Path) -> list[str]:
    """The endings of the files that belong to a test, its own too. The directory is listed once."""
    changed = test.parent.stat().st_mtime_ns
    return _files_by_test(test.parent, changed)[test.stem]
