"""Committed evidence: one folder per study, benchmarks/studies/DATE-NAME.

Invariant: a study's README.md opens with its question and names commit and machine; raw figures, if
there are any, are rows of runs.jsonl. `problems` says what is wrong with a folder; `write` makes
one that is right, and refuses a checkout with changes, whose commit would name another program.
"""

import argparse
import json
import pathlib
import re
import shlex
import sys
import textwrap

from homibench import provenance
from homibench.places import BENCHMARKS

STUDIES = BENCHMARKS / "studies"
# Keys that identify a row of runs.jsonl.
KEY = ("commit", "machine", "program", "mode", "seed", "budget")
NAME = re.compile(r"\d{4}-\d\d-\d\d-[a-z0-9-]+")


def add_study(parser: argparse.ArgumentParser) -> None:
    """Adds the options that turn a measurement into evidence."""
    parser.add_argument(
        "--study",
        metavar="NAME",
        help="also write the result to benchmarks/studies/DATE-NAME (DATE-NAME: one that is there)",
    )
    parser.add_argument(
        "--allow-dirty", action="store_true", help="also from a checkout with changes"
    )


def folder(name: str) -> pathlib.Path:
    """The study's folder: today's, unless the name begins with a date."""
    dated = name if NAME.fullmatch(name) else f"{provenance.now():%Y-%m-%d}-{name}"
    if not NAME.fullmatch(dated):
        raise SystemExit(f"`{name}` is no name of a study: small letters, digits and hyphens")
    return STUDIES / dated


def check(arguments: argparse.Namespace) -> None:
    """Ends before anything runs if the result could not be committed."""
    if arguments.study and provenance.dirty() and not arguments.allow_dirty:
        raise SystemExit("the checkout has changes: commit them first, or give --allow-dirty")
    if arguments.study:
        folder(arguments.study)


def command_line() -> str:
    """The command that was given, without what only this machine has: where programs are."""
    args, skip = [], False
    for arg in sys.argv[1:]:
        if skip or arg in ("--klee", "--homi", "--work", "--keep", "--log"):
            skip = not skip
        else:
            args.append(arg)
    return shlex.join(["benchmarks/bench", *args])


def _question(path: pathlib.Path, otherwise: str) -> str:
    """The question that the README has, which may be better than the general one."""
    first = path.read_text().partition("\n")[0] if path.exists() else ""
    return first.removeprefix("# ") or otherwise


def _notes(path: pathlib.Path) -> list[str]:
    """What was written by hand: all from `## Notes` on."""
    text = path.read_text() if path.exists() else ""
    _, mark, notes = text.partition("\n## Notes\n")
    return ["", "## Notes", *notes.rstrip().splitlines()] if mark else []


def _wrapped(fact: str) -> str:
    lead = {"initial_indent": "- ", "subsequent_indent": "  "}
    return textwrap.fill(fact, 100, **lead, break_long_words=False, break_on_hyphens=False)


def readme(question: str, topic: str, facts: list[str], result: list[str], notes: list[str]) -> str:
    """The text of a README."""
    head = [f"# {question}", "", f"- topic: {topic}", f"- commit: {provenance.commit()}"]
    head += [f"- machine: {provenance.machine()}, load {provenance.load():.1f} at the end"]
    head += [f"- date: {provenance.now():%Y-%m-%d %H:%M} UTC", f"- command: `{command_line()}`"]
    listed = [_wrapped(fact) for fact in facts]
    lines = [*head, *listed, "", "## Result", "", *result, *notes]
    return "\n".join(lines).rstrip() + "\n"


def write(
    arguments: argparse.Namespace,
    question: str,
    topic: str,
    facts: list[str],
    result: list[str],
    cells: list[dict] | None = None,
) -> None:
    """Writes the study's folder if one is wanted; `cells` replaces its rows."""
    if not arguments.study:
        return
    place = folder(arguments.study)
    place.mkdir(parents=True, exist_ok=True)
    path = place / "README.md"
    path.write_text(readme(_question(path, question), topic, facts, result, _notes(path)))
    if cells is not None:
        lines = [json.dumps(cell, ensure_ascii=False) for cell in cells]
        (place / "runs.jsonl").write_text("".join(f"{line}\n" for line in lines))
    print(f"written: {path}")


def facts_of(text: str) -> dict[str, str]:
    """The named facts in the list below a README's question."""
    head = re.sub(r"\n +", " ", text.partition("\n## ")[0])
    return dict(re.findall(r"^- (\w+): (.+)$", head, re.MULTILINE))


def _cell_problems(path: pathlib.Path) -> list[str]:
    problems, seen = [], set()
    for number, line in enumerate(path.read_text().splitlines(), 1):
        try:
            row = json.loads(line)
        except ValueError:
            problems.append(f"{path.name}:{number} is no JSON")
            continue
        missing = [name for name in KEY if name not in row]
        if missing:
            problems.append(f"{path.name}:{number} lacks {', '.join(missing)}")
        key = json.dumps([row.get(name) for name in (*KEY, "search", "options", "threads")])
        if key in seen:
            problems.append(f"{path.name}:{number} repeats an earlier row's key")
        seen.add(key)
    return problems


def problems(place: pathlib.Path) -> list[str]:
    """What is wrong with a study's folder."""
    found = [] if NAME.fullmatch(place.name) else ["is not named DATE-QUESTION"]
    allowed = {"README.md", "runs.jsonl"}
    found += [
        f"{path.name} is no part of a study" for path in place.iterdir() if path.name not in allowed
    ]
    path = place / "README.md"
    if not path.exists():
        return [*found, "has no README.md"]
    text = path.read_text()
    facts = facts_of(text)
    if not re.match(r"# .+\?\n", text):
        found.append("README.md does not open with a question")
    found += [
        f"README.md names no {name}" for name in ("topic", "commit", "machine") if name not in facts
    ]
    if "\n## Result\n" not in text:
        found.append("README.md has no result")
    cells = place / "runs.jsonl"
    return found + (_cell_problems(cells) if cells.exists() else [])
