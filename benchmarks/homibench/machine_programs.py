"""Twenty C programs of 500 to 3,000 lines: state machines with a vector of flags in a loop.

Each reads a symbolic input in each round of a bounded loop, looks for the first rule whose flags and
input fit, changes some flags and a counter, and answers with an output. Assertions name vectors that
must not occur; in some programs they do on rare paths. The programs are drawn with fixed seeds, so
they are the same on every machine.
"""

import dataclasses
import random


@dataclasses.dataclass(frozen=True)
class Kind:
    """What tells the machines apart."""

    seed: int
    flags: int
    rules: int
    inputs: int
    rounds: int
    counters: int

    @property
    def name(self) -> str:
        return f"machine{self.seed}"


KINDS = [
    Kind(1, flags=6, rules=80, inputs=3, rounds=9, counters=0),
    Kind(2, flags=8, rules=80, inputs=4, rounds=7, counters=1),
    Kind(3, flags=12, rules=80, inputs=2, rounds=14, counters=0),
    Kind(4, flags=12, rules=80, inputs=5, rounds=6, counters=2),
    Kind(5, flags=16, rules=80, inputs=3, rounds=9, counters=0),
    Kind(6, flags=16, rules=90, inputs=4, rounds=7, counters=1),
    Kind(7, flags=20, rules=100, inputs=3, rounds=9, counters=2),
    Kind(8, flags=20, rules=120, inputs=6, rounds=5, counters=0),
    Kind(9, flags=24, rules=120, inputs=4, rounds=8, counters=1),
    Kind(10, flags=24, rules=140, inputs=2, rounds=13, counters=0),
    Kind(11, flags=28, rules=140, inputs=5, rounds=7, counters=3),
    Kind(12, flags=28, rules=160, inputs=3, rounds=8, counters=0),
    Kind(13, flags=32, rules=160, inputs=4, rounds=8, counters=1),
    Kind(14, flags=32, rules=180, inputs=6, rounds=5, counters=2),
    Kind(15, flags=36, rules=200, inputs=3, rounds=9, counters=0),
    Kind(16, flags=36, rules=220, inputs=4, rounds=7, counters=1),
    Kind(17, flags=40, rules=240, inputs=2, rounds=14, counters=0),
    Kind(18, flags=40, rules=260, inputs=5, rounds=6, counters=2),
    Kind(19, flags=48, rules=280, inputs=3, rounds=9, counters=1),
    Kind(20, flags=48, rules=300, inputs=4, rounds=7, counters=0),
]


def text(kind: Kind) -> str:
    """The source of a machine."""
    draw = random.Random(kind.seed)
    lines = [
        "#include <klee/klee.h>",
        "",
        f"static int flags[{kind.flags}];",
        f"static int counters[{max(kind.counters, 1)}];",
        "",
    ]
    groups = [range(first, min(first + 20, kind.rules)) for first in range(0, kind.rules, 20)]
    for number, group in enumerate(groups):
        lines += [f"static int rules_{number}(int input) {{"]
        for _ in group:
            lines += rule(draw, kind)
        lines += ["  return -1;", "}", ""]
    lines += ["static int answer(int input) {", "  int output;"]
    for number in range(len(groups)):
        lines += [f"  output = rules_{number}(input);", "  if (output >= 0)", "    return output;"]
    lines += ["  return 0;", "}", "", "static void check(void) {"]
    for _ in range(4):
        lines += [f"  if ({flags_are(draw, kind, min(kind.flags, 7))})", "    klee_abort();"]
    lines += ["}", "", "int main(void) {"]
    lines += [f"  flags[{flag}] = {draw.randrange(2)};" for flag in range(kind.flags)]
    lines += [
        f"  for (int round = 0; round < {kind.rounds}; round++) {{",
        "    int input;",
        '    klee_make_symbolic(&input, sizeof input, "input");',
        f"    if (input < 0 || input >= {kind.inputs})",
        "      return 1;",
        "    answer(input);",
        "    check();",
        "  }",
        "  return 0;",
        "}",
    ]
    return "\n".join(lines) + "\n"


def flags_are(draw: random.Random, kind: Kind, count: int) -> str:
    """A condition on some flags."""
    chosen = draw.sample(range(kind.flags), count)
    return " && ".join(f"flags[{flag}] == {draw.randrange(2)}" for flag in chosen)


def rule(draw: random.Random, kind: Kind) -> list[str]:
    """A rule, as an if with its effects."""
    condition = f"input == {draw.randrange(kind.inputs)} && {flags_are(draw, kind, 3)}"
    if kind.counters and draw.random() < 0.3:
        condition += f" && counters[{draw.randrange(kind.counters)}] < {draw.randrange(1, 6)}"
    lines = [f"  if ({condition}) {{"]
    for flag in draw.sample(range(kind.flags), draw.randrange(1, 4)):
        effect = draw.choice(["0", "1", f"!flags[{flag}]", f"flags[{draw.randrange(kind.flags)}]"])
        lines.append(f"    flags[{flag}] = {effect};")
    if kind.counters and draw.random() < 0.4:
        lines.append(f"    counters[{draw.randrange(kind.counters)}]++;")
    return [*lines, f"    return {draw.randrange(20)};", "  }"]
