"""benchmarks/RESULTS.md from the studies, and whether all of them are in order.

Every folder of benchmarks/studies must have a README.md that opens with a question and names commit
and machine; RESULTS.md is made of them: each question with its headline, the study's commit and
machine.

  benchmarks/bench results            writes RESULTS.md
  benchmarks/bench results --check    fails if a study is not in order or RESULTS.md is stale
"""

import argparse
import pathlib
import re

from homibench import studies
from homibench.places import BENCHMARKS

RESULTS = BENCHMARKS / "RESULTS.md"
TOPICS = {
    "coverage": "Branches covered",
    "pruning": "Pruning and learning",
    "search": "Search",
    "speed": "Speed and memory",
    "solver": "Solver",
    "correctness": "Correctness",
}
# Lines of a table that RESULTS.md shows; a longer one is left to the study.
MOST_ROWS = 18
HEAD = """# Results

`benchmarks/bench results` generates this page from the studies. Measurements hold for the commit and
the machine that a study names. Compare only ratios of one study. A study's folder has the whole
result and, where there are any, its raw rows.
"""
# First questions of readers, each with the study (if any) whose fact `short` answers it.
ASKED = (
    ("Branches, compared with KLEE", "2026-11-27-klee-beside-homi"),
    ("Branches, compared with AFL++", None),
    ("Branches, compared with test suites", "2026-11-28-test-suites"),
    ("Paths per second, compared with KLEE", "2026-11-23-paths-to-exhaustion"),
    ("Instructions per second, concrete code", "2026-11-23-concrete-speed"),
    ("Time in the solver", "2026-11-23-solver-share"),
    ("Solver answers, compared with Z3", "2026-11-23-solver-against-z3"),
    ("Memory per open state", "2026-11-23-bytes-per-state"),
    ("Two threads", "2026-11-28-two-threads-on-a-quiet-machine"),
    ("Verdicts on tasks of SV-COMP", "2026-11-28-verification-tasks"),
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the command-line arguments."""
    parser.add_argument(
        "--check", action="store_true", help="write nothing, fail if all is not well"
    )


def headline(text: str) -> list[str]:
    """The result's first part: its answer, and its first table if that is short."""
    _, _, result = text.partition("\n## Result\n")
    lines: list[str] = []
    in_table = False
    for line in result.split("\n## ")[0].strip().splitlines():
        if in_table and not line.startswith("|"):
            break
        in_table = line.startswith("|")
        lines.append(line)
    texts = [line for line in lines if not line.startswith("|")]
    return lines if len(lines) - len(texts) <= MOST_ROWS else texts[:-1]


def section(place: pathlib.Path) -> list[str]:
    """A study's part of RESULTS.md."""
    text = (place / "README.md").read_text()
    question = re.match(r"# (.+)\n", text).group(1)
    facts = studies.facts_of(text)
    where = f"[{place.name}](studies/{place.name}/README.md)"
    source = f"{where}; commit {facts['commit']}; {facts['machine']}"
    # Studies link to each other; here they are a folder further down.
    shown = [
        line.replace("](../../../", "](../").replace("](../2", "](studies/2")
        for line in map(_without_heading, headline(text))
    ]
    return [f"### {question}", "", *shown, "", f"Study: {source}", ""]


def _without_heading(line: str) -> str:
    """A line of a study in which a heading is bold text, because several studies have the same."""
    return f"**{line.lstrip('# ')}**" if line.startswith("#") else line


def asked() -> list[str]:
    """The table of what people ask first."""
    rows = ["| question | answer | study |", "|---|---|---|"]
    for question, name in ASKED:
        study = f"[{name}](studies/{name}/README.md)" if name else "-"
        rows.append(f"| {question} | {_short(name) if name else 'not measured'} | {study} |")
    return [*rows, ""]


def generated(places: list[pathlib.Path]) -> str:
    """The text of RESULTS.md."""
    lines = [HEAD, *asked()]
    for topic, title in TOPICS.items():
        found = [place for place in places if _topic(place) == topic]
        if found:
            lines += [f"## {title}", ""]
        for place in reversed(found):
            lines += section(place)
    return "\n".join(lines).rstrip() + "\n"


def _topic(place: pathlib.Path) -> str:
    return studies.facts_of((place / "README.md").read_text())["topic"]


def problems(places: list[pathlib.Path]) -> list[str]:
    """What is wrong with the studies."""
    found = [f"{place.name}: {text}" for place in places for text in studies.problems(place)]
    if found:
        return found
    found = [f"{p.name}: topic `{_topic(p)}` is none" for p in places if _topic(p) not in TOPICS]
    return found + [f"{name}: no fact `short`" for _, name in ASKED if name and not _short(name)]


def _short(name: str) -> str | None:
    """A study's answer in one line."""
    return studies.facts_of((studies.STUDIES / name / "README.md").read_text()).get("short")


def run(arguments: argparse.Namespace) -> int:
    """Checks the studies, then writes or compares."""
    places = sorted(path for path in studies.STUDIES.iterdir() if path.is_dir())
    wrong = problems(places)
    if not wrong:
        text = generated(places)
        if not arguments.check:
            RESULTS.write_text(text)
        elif not RESULTS.exists() or RESULTS.read_text() != text:
            wrong.append("RESULTS.md is stale: benchmarks/bench results")
    print("\n".join(wrong) or f"{len(places)} studies are in order")
    return int(bool(wrong))
