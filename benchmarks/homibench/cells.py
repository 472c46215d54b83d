"""Rows of runs.jsonl; a completed measurement is not repeated.

A row is keyed by studies.KEY and by what else a study kind varies. Rows are only ever added, one
line at a time, so an interrupted measurement goes on where it was. A key names the commit: another
build's rows are other rows.
"""

import collections.abc
import json
import pathlib
import threading


class Cells:
    """The rows of one file."""

    def __init__(self, path: pathlib.Path, key: collections.abc.Sequence[str]) -> None:
        self.path = path
        self._key = key
        self._lock = threading.Lock()
        lines = path.read_text().splitlines() if path.exists() else []
        self.rows = [json.loads(line) for line in lines]

    def find(self, **wanted: object) -> dict | None:
        """The last row that has these values."""
        matching = (row for row in reversed(self.rows) if self._has(row, wanted))
        return next(matching, None)

    @staticmethod
    def _has(row: dict, wanted: dict) -> bool:
        return all(row.get(name) == value for name, value in wanted.items())

    def add(self, row: dict) -> None:
        """Appends a row, which must have every part of the key."""
        missing = [name for name in self._key if name not in row]
        if missing:
            raise ValueError(f"a cell lacks {', '.join(missing)}")
        with self._lock:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with self.path.open("a") as file:
                file.write(json.dumps(row, ensure_ascii=False) + "\n")
            self.rows.append(row)
