"""Random C programs of some thirty lines for verdicts, and their native judge.

A program reads two bytes below 8, and in some programs further input in its loops. `Program.text`
has no includes but `stdlib.h`, so homi takes it as a verification task. `NATIVE` runs it once for
each pair of bytes, in a child process, and prints how each ended.
"""

import random

# Ends of a child process, by number.
REACHED, LONG, MEMORY, OVERFLOW, KEPT = 70, 71, 72, 73, 74
# Rounds of loops natively; homi executes fewer instructions than that.
MOST_ROUNDS = 3_000_000

HEAD = """#include <stdlib.h>
extern unsigned char __VERIFIER_nondet_uchar(void);
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
#ifndef NATIVE
#define ROUND
void reach_error(void) {}
#endif
"""

# `-include`d before the program.
MACROS = f"""#include <stdlib.h>
#include <unistd.h>
#define NATIVE
extern int rounds, blocks;
void *kept_malloc(size_t size);
void kept_free(void *block);
void kept_exit(int status);
#define ROUND if (++rounds > {MOST_ROUNDS}) _exit({LONG});
#define malloc kept_malloc
#define free kept_free
#define exit kept_exit
#define abort() kept_exit(9)
#define main program_main
"""

# `SEEDS` runs for each pair of bytes; a call of `reach_error` is an end only if `REACHES`.
NATIVE = f"""#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
int rounds, blocks, program_main(void);
static unsigned char given[2];
static unsigned count, next;
static unsigned mixed(void) {{
  next = next * 1664525u + 1013904223u;
  return next >> 8;
}}
unsigned char __VERIFIER_nondet_uchar(void) {{ return count < 2 ? given[count++] : mixed(); }}
int __VERIFIER_nondet_int(void) {{
  switch (mixed() % 4) {{
  case 0: return (int)mixed() % 3 - 1;
  case 1: return (int)(mixed() << 8);
  default: return (int)mixed() % 20 - 5;
  }}
}}
void reach_error(void) {{ if (REACHES) _exit({REACHED}); }}
void *kept_malloc(size_t size) {{ blocks++; return malloc(size); }}
void kept_free(void *block) {{ blocks -= block != 0; free(block); }}
void kept_exit(int status) {{ exit(blocks ? {KEPT} : status & 63); }}
int main(void) {{
  for (int pair = 0; pair < 64; pair++) {{
    for (int seed = 0; seed < SEEDS; seed++) {{
      fflush(stdout);
      if (fork() == 0) {{
        given[0] = pair & 7;
        given[1] = pair >> 3;
        next = seed * 7919 + pair;
        kept_exit(program_main());
      }}
      int status;
      wait(&status);
      printf("%d\\n", WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status));
    }}
  }}
  return 0;
}}
"""


class Program:
    """The program of a seed."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.reads_in_loops = self.random.random() < 0.4
        self.has_blocks = self.random.random() < 0.5
        self.risk = self.random.choice([0.0, 0.1, 0.3])
        self.loops = 0
        self.lines: list[str] = []
        self.depth = 1
        self.make()

    def choice(self, *of: str) -> str:
        """One of some texts."""
        return self.random.choice(of)

    def add(self, line: str) -> None:
        """Adds a line of code."""
        self.lines.append("  " * self.depth + line)

    def number(self) -> str:
        """A constant."""
        return str(self.random.choice([0, 1, 1, 2, 3, 5, 7, 10, 16, -1, -3]))

    def variable(self) -> str:
        """A variable that may be written."""
        return self.choice("x", "y", "z", "u", "c")

    def operand(self) -> str:
        """A value without effects that never fails."""
        kind = self.random.random()
        if kind < 0.6:
            return self.choice("x", "y", "z", "a", "b", "c")
        if kind < 0.8:
            return self.number()
        return f"row[{self.index()}]"

    def index(self) -> str:
        """An index of the array, which at some risk is outside."""
        if self.random.random() < self.risk:
            return self.choice("a & 7", "x", "(unsigned)y % 6")
        return self.choice("a & 3", "b % 4", "(unsigned)x % 4", "c & 1", "2")

    def condition(self) -> str:
        """A condition."""
        sign = self.choice("<", "<=", "==", "!=", ">", ">=")
        text = f"{self.operand()} {sign} {self.operand()}"
        if self.random.random() < 0.2:
            text = f"{text} {self.choice('&&', '||')} {self.operand()} {sign} {self.number()}"
        return text

    def assignment(self) -> None:
        """An assignment; sums are kept small in most programs."""
        target, kind = self.variable(), self.random.random()
        value = f"{self.operand()} {self.choice('+', '-', '*', '^', '&')} {self.operand()}"
        if kind < 0.3:
            self.add(f"{target} = {self.operand()};")
        elif kind < 0.5 or self.random.random() < self.risk:
            self.add(f"{target} = {value};")
        elif kind < 0.7:
            self.add(f"{target} = ({value}) % {self.choice('3', '8', '100')};")
        elif kind < 0.85:
            self.add(f"row[{self.index()}] = {self.operand()};")
        else:
            self.add(f"{target}{self.choice('++', '--')};")

    def branch(self) -> None:
        """An `if`, with an `else` in some cases."""
        self.add(f"if ({self.condition()}) {{")
        self.inside(self.random.randint(1, 2))
        if self.random.random() < 0.4:
            self.add("} else {")
            self.inside(1)
        self.add("}")

    def inside(self, count: int) -> None:
        """Statements one level further in."""
        self.depth += 1
        for _ in range(count):
            self.statement()
        self.depth -= 1

    def loop(self) -> None:
        """A loop with a bound, with a condition on what it changes, or with input as its end."""
        self.loops += 1
        counter, kind = f"i{self.loops}", self.random.random()
        ends_by_input = self.reads_in_loops and kind < 0.4
        if ends_by_input:
            self.add("while (__VERIFIER_nondet_int() % 4) { ROUND")
        elif kind < 0.7:
            bound = self.choice("a", "b", "4", "10", "100", "c", "x")
            self.add(f"for (int {counter} = 0; {counter} < {bound}; {counter}++) {{ ROUND")
        else:
            self.add(f"while ({self.condition()}) {{ ROUND")
        self.inside(self.random.randint(1, 3))
        if self.random.random() < 0.3:
            self.add(f"  if ({self.condition()}) break;")
        self.add("}")

    def counters(self) -> None:
        """A loop of any length that keeps two variables in a relation, and a check of it."""
        step = self.random.choice([1, 1, 2, 3])
        one, other = self.random.sample(["x", "y", "z"], 2)
        bound = self.choice("", "", f" && {one} < 1000", f" && {other} < 20")
        stop = "__VERIFIER_nondet_int()" if self.reads_in_loops else f"{one} < 3 * a"
        self.add(f"{one} = 0, {other} = {self.choice('0', '0', str(step), 'a')};")
        self.add(f"while ({stop}{bound}) {{ ROUND")
        self.add(f"  {one} += {self.choice('1', str(step))};")
        change = self.choice(f"{other} += {step}", f"{other} = !{other}", f"{other} -= {step}")
        guard = self.choice("", "", f"if ({one} > 2) ")
        self.add(f"  {guard}{change};")
        self.add("}")
        self.check(one, other)

    def check(self, one: str, other: str) -> None:
        """A condition under which the error is called."""
        condition = self.choice(
            f"{one} < 0",
            f"{one} != {other}",
            f"{one} < {other}",
            f"{one} > 1000",
            f"{other} > 1",
            f"{one} % 2",
            f"{one} == {self.number()}",
            self.condition(),
        )
        self.add(f"if ({condition}) reach_error();")

    def block(self) -> None:
        """A block of the heap that is used and, in most cases, freed."""
        size = self.choice("4", "8", "a + 1")
        self.add(f"{{ unsigned char *p = malloc({size}); if (!p) return 1;")
        at = self.choice("0", "3", "a & 3") if self.random.random() > self.risk else "a"
        self.add(f"  p[{at}] = b; x = p[{at}] & 7;")
        if self.random.random() > self.risk:
            self.add("  free(p); }")
        else:
            self.add(f"  if ({self.condition()}) free(p); }}")

    def statement(self) -> None:
        """A statement."""
        kind = self.random.random()
        if kind < 0.5:
            self.assignment()
        elif kind < 0.68:
            self.branch()
        elif kind < 0.78 and self.loops < 3:
            self.loop()
        elif kind < 0.85:
            self.check(self.operand(), self.operand())
        elif kind < 0.92 and self.has_blocks:
            self.block()
        elif kind < 0.95:
            self.add(f"if ({self.condition()}) {self.choice('return 2;', 'exit(3);', 'abort();')}")
        else:
            self.assignment()

    def make(self) -> None:
        """The body of `main`."""
        self.add("unsigned char a = __VERIFIER_nondet_uchar(), b = __VERIFIER_nondet_uchar();")
        self.add("unsigned char c = 0; int x = 0, y = 0, z = 0, row[4] = {0}; unsigned u = 1;")
        self.add("if (a > 7 || b > 7) return 0;")
        if self.random.random() < 0.5:
            self.counters()
        for _ in range(self.random.randint(2, 6)):
            self.statement()
        self.add("return (x ^ y ^ z ^ (int)u ^ c ^ row[0]) & 1;")

    def text(self) -> str:
        """The source."""
        return HEAD + "int main(void) {\n" + "\n".join(self.lines) + "\n}\n"
