"""Lines of Markdown, and means."""

import collections.abc
import math
import typing

Numbers = collections.abc.Iterable[float]


def header(titles: list[str], numbers: bool = False) -> list[str]:
    """The first two lines of a table; `numbers`: all columns but the first are aligned right."""
    rule = "|---" + ("|---:" if numbers else "|---") * (len(titles) - 1) + "|"
    return [row(titles), rule]


def row(cells: collections.abc.Iterable[typing.Any]) -> str:
    """A line of a table."""
    return "| " + " | ".join(str(cell) for cell in cells) + " |"


def escaped(text: str) -> str:
    """The text as it may stand in a cell."""
    return text.replace("|", "\\|")


def mean(numbers: Numbers) -> float:
    """The arithmetic mean; 0 of nothing."""
    values = list(numbers)
    return sum(values) / len(values) if values else 0.0


def geometric_mean(numbers: Numbers) -> float:
    """The geometric mean; 0 of nothing."""
    values = list(numbers)
    return math.exp(sum(map(math.log, values)) / len(values)) if values else 0.0
