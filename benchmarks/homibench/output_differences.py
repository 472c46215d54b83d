"""Differences of two output directories of `homi run`: files, statistics, runs of a campaign.

Times, memory and what is sampled by a clock are never compared.
"""

import json
import pathlib
import typing

# Of an output directory: the files of tests and these.
COMPARED = {"coverage.jsonl", "branches.json", "learning-data.jsonl", "stdout.txt", "stderr.txt"}
# The head of learning-data.jsonl names the output directory.
WITHOUT_FIRST_LINE = {"learning-data.jsonl"}
# Keys of summary.json and learning.jsonl that differ between two runs of one build: times (also all
# keys that end in `_s`), memory, and values sampled by the clock or ranked by times.
UNEQUAL_KEYS = {
    "memory",
    "memory_peak_bytes",
    "repeated_time_ratio",
    "states_mean",
    "states_each_second",
    "branches_each_second",
    "hot_lines",
}


def compared_files(output: pathlib.Path) -> dict[str, bytes]:
    """The files of a run that must be equal, by name."""
    paths = [path for path in sorted(output.iterdir()) if path.is_file()]
    wanted = [path for path in paths if path.name in COMPARED or path.name.startswith("test")]
    contents = {path.name: path.read_bytes() for path in wanted}
    for name in WITHOUT_FIRST_LINE & contents.keys():
        contents[name] = contents[name].partition(b"\n")[2]
    return contents


def files(old: pathlib.Path, new: pathlib.Path) -> list[str]:
    """Which files only one run has, or which are not equal."""
    left, right = compared_files(old), compared_files(new)
    lines = [f"only OLD has {name}" for name in sorted(left.keys() - right.keys())]
    lines += [f"only NEW has {name}" for name in sorted(right.keys() - left.keys())]
    both = sorted(left.keys() & right.keys())
    return lines + [f"{name} differs" for name in both if left[name] != right[name]]


def sets_of_tests(old: pathlib.Path, new: pathlib.Path) -> list[str]:
    """How many tests only one run has, whatever their numbers."""
    left, right = ({path.read_bytes() for path in output.glob("*.ktest")} for output in (old, new))
    if left == right:
        return []
    return [f"{len(left - right)} tests only in OLD, {len(right - left)} only in NEW"]


def figures(value: typing.Any, at: str = "") -> typing.Iterator[tuple[str, typing.Any]]:
    """The figures that two runs share, by the names that lead to them."""
    if isinstance(value, dict):
        for key, inner in value.items():
            if not key.endswith("_s") and key not in UNEQUAL_KEYS:
                yield from figures(inner, f"{at}.{key}" if at else key)
    elif isinstance(value, list) and any(isinstance(item, dict) for item in value):
        for number, inner in enumerate(value):
            yield from figures(inner, f"{at}[{number}]")
    else:
        yield at, value


def summaries(old: pathlib.Path, new: pathlib.Path, wanted: str | list[str]) -> list[str]:
    """The figures of summary.json that differ: all that runs share, or those of these names."""
    both = [json.loads((output / "summary.json").read_text()) for output in (old, new)]
    if wanted != "all":
        both = [{key: summary.get(key) for key in wanted} for summary in both]
    left, right = (dict(figures(summary)) for summary in both)
    return _unequal(left, right)


def _unequal(left: dict, right: dict) -> list[str]:
    absent = object()
    names = sorted(left.keys() | right.keys())
    return [
        f"{name}: {left.get(name, 'absent')} and {right.get(name, 'absent')}"
        for name in names
        if left.get(name, absent) != right.get(name, absent)
    ]


def _runs(output: pathlib.Path) -> list[dict]:
    path = output / "learning.jsonl"
    lines = path.read_text().splitlines() if path.exists() else []
    return [dict(figures(json.loads(line))) for line in lines]


def learning(old: pathlib.Path, new: pathlib.Path) -> list[str]:
    """The runs of a campaign whose figures differ, each with the first such figure."""
    left, right = _runs(old), _runs(new)
    if len(left) != len(right):
        return [f"learning.jsonl: {len(left)} and {len(right)} lines"]
    lines = []
    for number, pair in enumerate(zip(left, right, strict=True), 1):
        lines += [f"learning.jsonl:{number} {text}" for text in _unequal(*pair)[:1]]
    return lines
