"""Seeded differences: one function of the runtime's bitcode returns another value.

A mutant is made of the text of libc.bc or kernel.bc: what a function returns is changed where it
returns. A program that names the function is explored with the changed runtime. A mutant after which
homi predicts what it predicted before is none, and another one is drawn.
"""

import argparse
import functools
import json
import pathlib
import random
import re
import subprocess
import typing

from homibench import call_programs, ktest, tables

if typing.TYPE_CHECKING:
    import collections.abc

# What a mutant does to a value of its type.
CHANGES = {
    "i32": ["add i32 {}, 1", "xor i32 {}, 1", "sub i32 {}, 1", "sub i32 0, {}"],
    "i64": ["add i64 {}, 1", "xor i64 {}, 1", "sub i64 {}, 1", "sub i64 0, {}"],
    "double": ["fadd double {}, 1.0", "fneg double {}", "fmul double {}, 2.0"],
}
DEFINED = r"^define [^\n]*@{}\([^\n]*\n(?:.*\n)*?^}}\n"
RETURNS = re.compile(r"^  ret (i32|i64|double) (\S+?)(,.*)?$", re.MULTILINE)
# Names in a program that are no calls of the library.
OWN = {"main", "one", "add", "show", "bytes", "sizeof", "if", "for", "while", "printf", "memset"}
OWN |= {"memcpy", "strlen", "wcslen", "setlocale", "fopen", "read", "strnlen"}
# Draws after which a seed is given up.
MOST_DRAWS = 12
OUTCOMES = ["told", "error", "missed", "none"]


@functools.cache
def text_of(runtime: pathlib.Path, module: str) -> str:
    """A module of the runtime as text."""
    command = ["llvm-dis-19", runtime / f"{module}.bc", "-o", "-"]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


@functools.cache
def defined(runtime: pathlib.Path, module: str) -> dict[str, str]:
    """Functions of a module that return a number."""
    heads = re.findall(r"^define [^\n]*?(i32|i64|double) @([\w.]+)\(", text_of(runtime, module), re.M)
    return {name: kind for kind, name in heads}


def changed(text: str, name: str, change: int) -> str:
    """The text with another value where the function returns; the same if it cannot be changed."""
    match = re.search(DEFINED.format(re.escape(name)), text, re.MULTILINE)
    if not match:
        return text
    number = 0

    def returns(found: re.Match) -> str:
        nonlocal number
        number += 1
        changes = CHANGES[found[1]]
        value = changes[change % len(changes)].format(found[2])
        return f"  %homi.mutant{number} = {value}\n  ret {found[1]} %homi.mutant{number}{found[3] or ''}"

    body = RETURNS.sub(returns, match[0])
    return text[: match.start()] + body + text[match.end() :]


def candidates(runtime: pathlib.Path, source: str) -> list[tuple[str, str]]:
    """Functions that the program calls, and those of the kernel for calls of such a name."""
    block = source[source.index("int main(") :]
    names = set(re.findall(r"\b([a-z_][a-z0-9_]*)\(", block)) - OWN
    found = [("libc", name) for name in sorted(names) if name in defined(runtime, "libc")]
    kernel = sorted(name for name in defined(runtime, "kernel") if name.startswith("hk_"))
    called = {name for name in names if len(name) > 3}
    return found + [("kernel", name) for name in kernel if name.removeprefix("hk_") in called]


def mutated(
    runtime: pathlib.Path, module: str, name: str, change: int, place: pathlib.Path
) -> bool:
    """Writes a runtime with a changed function; false if there is nothing to change."""
    text = text_of(runtime, module)
    new = changed(text, name, change)
    if new == text:
        return False
    place.mkdir(exist_ok=True)
    for part in runtime.iterdir():
        link = place / part.name
        link.unlink(missing_ok=True)
        link.symlink_to(part.resolve())
    target = place / f"{module}.bc"
    target.unlink()
    command = ["llvm-as-19", "-", "-o", target]
    return subprocess.run(command, input=new, text=True, check=False).returncode == 0


def predictions(out: pathlib.Path) -> dict[str, str]:
    """What a run predicts for each input, where that does not vary."""
    path = out / "outcomes.jsonl"
    lines = [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []
    found = {}
    for line in lines:
        if line.get("unstable") or "exit" not in line["end"]:
            continue
        key = str(ktest.objects(out / f"{line.pop('test')}.ktest"))
        found[key] = json.dumps(line)
    return found


def differ(plain: pathlib.Path, changed_run: pathlib.Path) -> bool:
    """Whether an input that both runs have ends otherwise."""
    before, after = predictions(plain / "out"), predictions(changed_run / "out")
    return any(before[key] != after[key] for key in before.keys() & after.keys())


Explore = "collections.abc.Callable[[argparse.Namespace, call_programs.Program, pathlib.Path], tuple]"


def judged(
    arguments: argparse.Namespace,
    seed: int,
    place: pathlib.Path,
    explored: Explore,
    forms: dict[str, list[str]],
) -> dict:
    """The line of a seed: the first mutant whose predictions are others, and whether it is told."""
    chosen = random.Random(seed)
    runtime = arguments.runtime_dir
    for draw in range(MOST_DRAWS):
        program = call_programs.Program(1000 * seed + draw, forms, 1)
        functions = candidates(runtime, program.source())
        if not functions:
            continue
        kernel = [one for one in functions if one[0] == "kernel"]
        module, name = chosen.choice(kernel if kernel and seed % 3 == 0 else functions)
        if not mutated(runtime, module, name, chosen.randrange(4), place / "mutant"):
            continue
        plain, told = place / f"plain{draw}", place / f"told{draw}"
        plain.mkdir()
        told.mkdir()
        options = vars(arguments)
        before, _ = explored(argparse.Namespace(**options), program, plain)
        if before is None or (before.get("outcomes") or {}).get("divergences"):
            continue
        other = argparse.Namespace(**options | {"runtime_dir": place / "mutant"})
        summary, said = explored(other, program, told)
        if summary and not differ(plain, told):
            continue
        result = {"seed": seed, "family": program.family, "module": module, "function": name}
        if summary is None:
            return result | {"outcome": "error", "why": said[:200]}
        divergences = (summary.get("outcomes") or {}).get("divergences") or []
        if divergences:
            named = name.removeprefix("hk_") in json.dumps(divergences)
            return result | {"outcome": "told", "divergences": len(divergences), "named": named}
        if summary["errors"] or summary["unsupported"]:
            return result | {"outcome": "error", "why": (summary["errors"] or summary["unsupported"])[:1]}
        return result | {"outcome": "missed"}
    return {"seed": seed, "family": "", "module": "", "function": "", "outcome": "none"}


def table(results: list[dict]) -> list[str]:
    """Outcomes by module, and each mutant."""
    titles = ["module", "mutants", *OUTCOMES, "told with the function's name"]
    rows = tables.header(titles, numbers=True)
    for module in ("libc", "kernel", ""):
        those = [one for one in results if one["module"] == module] if module else results
        counts = [sum(one["outcome"] == outcome for one in those) for outcome in OUTCOMES]
        named = sum(bool(one.get("named")) for one in those)
        rows.append(tables.row([module or "all", len(those), *counts, named]))
    odd = [one for one in results if one["outcome"] != "told"]
    lines = [f"- seed {one['seed']}: {one['function']}: {one['outcome']} {one.get('why', '')}" for one in odd]
    return [*rows, "", *lines]
