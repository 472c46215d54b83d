"""Random C programs whose paths meet in equal, nearly equal and different states.

A program is one function of 8 to 12 bits of input, in one of twenty of 16, with places that can
fail: assertions and faults. Every condition is numbered by B, every case of a switch by N. How
rarely a place fails is set after a native run over all inputs has counted the values there, see
`limit_of`. The forms of statements are in `subsumption_control`, `subsumption_values` and
`subsumption_memory`; each keeps natively, by MODEL, what a fault of memory would take to be seen.
"""

import collections
import random

from homibench import subsumption_control, subsumption_memory, subsumption_values

Counts = collections.Counter[int]

# The same program for both; what begins a path anew stands in `reset`.
COMMON = r"""
#include <errno.h>
#include <fenv.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
struct pair { int p; unsigned char q; short r[2]; };
struct link { int value; struct link *next; };
static unsigned x, y;
static int G0, G1, cells[8];
static struct pair S;
static unsigned char bytes[24];
static jmp_buf jump;
static int plus(int v) { return v + 1; }
static int twice(int v) { return 2 * v; }
static int least(int v) { return v < 5 ? v : 5; }
static const unsigned char table[16] = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9, 3};
static double third(void) { volatile double one = 1, three = 3; return one / three; }
static void reset(const unsigned char *in) {
  x = in[0];
  y = BITS > 8 ? in[1] & ((1u << (BITS - 8)) - 1) : in[0] >> 5;
  G0 = 0; G1 = 1; S.p = 2; S.q = 3; S.r[0] = S.r[1] = 0;
  for (int i = 0; i < 8; i++) cells[i] = i;
  for (int i = 0; i < 24; i++) bytes[i] = 0;
  errno = 0;
}
"""

NATIVE = r"""
#include <stdio.h>
#include <string.h>
#include <stdlib.h>
#include <stdint.h>
#include <setjmp.h>
static jmp_buf failed;
static int place, profile;
static uint64_t sides[4];
static char kind[64];
static long limit[64];
static unsigned char room[1 << 18];
static unsigned long used;
static unsigned char extra;
static struct { int n; long value; unsigned count; } seen[1 << 16];
static void note(int side) { sides[side >> 6] |= 1ull << (side & 63); }
static int noted(int n, int value) { note(2 * n + (value != 0)); return value; }
static void fail(int n) { place = n; longjmp(failed, 1); }
/* Counts the value, or fails where it is as the place's limit says; the distance from the limit. */
static long watched(int n, long value) {
  if (profile) {
    unsigned at = (unsigned)(value * 64 + n) * 2654435761u >> 16;
    while (seen[at].count && (seen[at].n != n || seen[at].value != value)) at = (at + 1) & 65535;
    seen[at].n = n; seen[at].value = value; seen[at].count++;
    return kind[n] == 'z' ? 1 : value & 1023;
  }
  if (kind[n] == '>' ? value > limit[n] : kind[n] == '<' ? value < limit[n] : value == limit[n])
    fail(n);
  return kind[n] == 'z' ? value - limit[n] : value;
}
static void *lent(unsigned long size) {
  unsigned char *at = room + used;
  used = (used + size + 15) & ~15ul;
  if (used > sizeof room) abort();
  memset(at, 0, size);
  return at;
}
#define B(n, c) noted(n, (c) != 0)
#define N(n) note(2 * n)
#define WATCH(n, e) (void)watched(n, (long)(e))
#define INSIDE(n, e) watched(n, (long)(e))
#define DIVISOR(n, e) watched(n, (long)(e))
#define ROOM(n) 1024
#define FINE(n, ok) (void)((ok) || (fail(n), 0))
#define MODEL(...) __VA_ARGS__
#define SYMBOLIC(value, model) (model)
#define malloc(size) lent(size)
#define calloc(count, size) lent((count) * (size))
#define free(p) (void)(p)
"""

NATIVE_MAIN = r"""
int main(int count, char **word) {
  profile = count == 1;
  for (int n = 1; n < count; n++) { kind[n - 1] = word[n][0]; limit[n - 1] = atol(word[n] + 1); }
  for (int n = 0; n < 64; n++) if (profile) kind[n] = KINDS[n];
  for (unsigned n = 0; n < 1u << BITS; n++) {
    static unsigned char in[2];
    static unsigned input;
    input = n; in[0] = n & 255; in[1] = n >> 8;
    place = -1; used = 0;
    memset(sides, 0, sizeof sides);
    if (!setjmp(failed)) program(in);
    n = input;
    if (!profile)
      printf("%d %llx %llx %llx %llx\n", place, (unsigned long long)sides[0],
             (unsigned long long)sides[1], (unsigned long long)sides[2],
             (unsigned long long)sides[3]);
  }
  for (unsigned n = 0; n < 1 << 16; n++)
    if (seen[n].count) printf("%d %ld %u\n", seen[n].n, seen[n].value, seen[n].count);
  return 0;
}
"""

# A place of its own for each that fails: an optimiser would make one of several calls.
SYMBOLIC = r"""
#include <klee/klee.h>
#define NAMED(name, n) name##n
#define INSIDE(n, e) (e)
#define FINE(n, ok) (void)0
#define MODEL(...)
#define SYMBOLIC(value, model) (klee_is_symbolic(value) != 0)
static unsigned char extra;
void __assert_fail(const char *, const char *, unsigned, const char *) __attribute__((noreturn));
#define WATCH(n, e) do { long watched = (long)(e); if (NAMED(BAD, n)(watched)) NAMED(fail, n)(); } \
  while (0)
#define DIVISOR(n, e) ((long)(e) - NAMED(LIMIT, n))
#define ROOM(n) (NAMED(LIMIT, n) + 1)
"""

SYMBOLIC_MAIN = r"""
int main(void) {
  static unsigned char in[BITS > 8 ? 2 : 1];
  klee_make_symbolic(in, sizeof in, "in");
  klee_make_symbolic(&extra, 1, "extra");
  program(in);
  return 0;
}
"""

# How a condition is built for homi: as it stands, or by a call that optimisers leave alone.
PLAIN_CONDITION = "#define B(n, c) (c)\n#define N(n) (void)0\n"
CALLED_CONDITION = """
__attribute__((noinline, optnone)) static int noted(int value) { if (value) return 1; return 0; }
#define B(n, c) noted((c) != 0)
#define N(n) (void)noted(1)
"""

LOCALS = {"a": "unsigned char", "b": "signed char", "c": "short", "d": "int", "e": "int"}
LOCALS |= {"f": "unsigned", "g": "long"}
GLOBALS = ["G0", "G1", "S.p", "S.q", "S.r[0]", "cells[1]", "cells[5]", "bytes[3]"]
# Those of type int, whose addresses may be taken.
INTEGERS = ["d", "e", "G0", "G1", "S.p", "cells[1]", "cells[5]"]
# A place that fails does so on at most one of so many of the values that come there.
SHARE = 8
FORMS = [*subsumption_control.FORMS, *subsumption_values.FORMS, *subsumption_memory.FORMS]


class Program:
    """One random program, as C."""

    def __init__(self, seed: int, attempt: int = 0) -> None:
        self.random = random.Random(f"{seed} {attempt}")
        self.bits = 16 if seed % 20 == 0 else self.random.choice([8, 9, 10, 10, 11, 12])
        # Optimisers make other faults of faults.
        self.level = self.random.choice(["-O0", "-O0", "-O0", "-O1"])
        self.calls = self.random.random() < (0.5 if self.level == "-O1" else 0.2)
        self.lines: list[str] = []
        self.functions: list[str] = []
        self.helpers: list[str] = []
        self.globals = GLOBALS
        self.pool = [*LOCALS, *GLOBALS]
        # Statements that begin a path anew.
        self.resets: list[str] = []
        self.touched: list[str] = []
        self.conditions: list[str] = []
        self.sides = 0
        # The kind of each place that can fail: `w` an assertion, `i` an index, `z` a divisor, `m`
        # what the native model of memory decides.
        self.places: list[str] = []
        self.names = 0
        self.body = self._body()

    def put(self, *lines: str) -> None:
        """Adds lines of the function."""
        self.lines.extend("  " + line for line in lines)

    def fresh(self, prefix: str) -> str:
        """A name that is not used yet."""
        self.names += 1
        return f"{prefix}{self.names}"

    def place(self, kind: str) -> int:
        """The number of a new place that can fail."""
        self.places.append(kind)
        return len(self.places) - 1

    def may_fault(self) -> bool:
        """Whether there is room for another place, and faults are what they are in the source."""
        return self.level == "-O0" and len(self.places) < 12

    def tested(self, text: str) -> str:
        """A numbered condition."""
        self.sides += 1
        return f"B({self.sides - 1}, {text})"

    def case(self) -> str:
        """A numbered statement."""
        self.sides += 1
        return f"N({self.sides - 1});"

    def ranged(self) -> tuple[str, int]:
        """An expression over the input, not negative, and its largest value or a little more."""
        high = (1 << (self.bits - 8)) - 1 if self.bits > 8 else 7
        k, m = self.random.randrange(1, 7), self.random.choice([1, 3, 7, 15, 6, 12])
        plain = [("x", 255), ("y", high), (f"(x >> {k})", 255 >> k), (f"(x & {m})", m)]
        plain += [(f"(y & {m})", min(m, high)), (f"((x >> {k}) & {m})", m & 255 >> k)]
        mixed = [("(x ^ y)", 255), ("(x + y)", 255 + high), ("(x * 3)", 765)]
        mixed += [(f"(x % {k + 2})", k + 1), ("((x >> 4) + (x & 15))", 30)]
        return self.random.choice(plain if self.random.random() < 0.7 else mixed)

    def number(self) -> str:
        """An expression over the input, not negative."""
        return self.ranged()[0]

    def index(self, count: int) -> str:
        """An index into an array of so many elements, a power of two, always inside."""
        return f"(({self.number()}) & {count - 1})"

    def value(self) -> str:
        """What can be assigned; small numbers most, so that states meet."""
        small = str(self.random.randrange(5))
        chosen = self.random.random()
        if chosen < 0.45:
            return small
        if chosen < 0.65:
            return self.variable()
        if chosen < 0.8:
            return f"({self.variable()} {self.random.choice('+-^|&')} {small})"
        return self.number()

    def variable(self) -> str:
        """A variable, often one that was assigned lately."""
        near = [name for name in self.touched[-4:] if name in self.pool]
        return self.random.choice(near if near and self.random.random() < 0.6 else self.pool)

    def target(self) -> str:
        """A variable that is assigned."""
        name = self.variable()
        self.touched.append(name)
        return name

    def integer(self) -> str:
        """A variable of type int, that is assigned."""
        name = self.random.choice([name for name in self.pool if name in INTEGERS])
        self.touched.append(name)
        return name

    def assign(self) -> str:
        """A statement."""
        operator = self.random.choice(["=", "=", "=", "+=", "+=", "-=", "^="])
        return f"{self.target()} {operator} {self.value()};"

    def raw_condition(self) -> str:
        """A comparison, often one that was made before, or nearly so."""
        chosen = self.random.random()
        if self.conditions and chosen < 0.25:
            old = self.random.choice(self.conditions)
            return old if self.random.random() < 0.6 else f"!{old}"
        operator = self.random.choice(["==", "!=", "<", ">", "<=", ">="])
        if chosen < 0.4:
            return f"((int){self.variable()} {operator} {self.random.randrange(-1, 5)})"
        if chosen < 0.45:
            return f"((long){self.variable()} {operator} (long){self.variable()})"
        number, most = self.ranged()
        if chosen < 0.75:
            bit = self.random.randrange(max(1, min(most, 255).bit_length()))
            text = f"((({number}) >> {bit}) & 1)"
        else:
            text = f"({number} {operator} {self.random.randrange(most + 1)})"
        self.conditions.append(text)
        return text

    def condition(self) -> str:
        """A numbered comparison."""
        text = self.raw_condition()
        if self.random.random() < 0.1:
            text = f"({text} {self.random.choice(['&&', '||'])} {self.raw_condition()})"
        return self.tested(text)

    def watch(self) -> str:
        """An assertion about a sum of variables."""
        count = self.random.choice([1, 1, 2, 2, 3, 4])
        terms = [f"{self.random.choice([1, 1, 1, 2, 3])} * (long){self.variable()}"]
        terms += [
            f"{self.random.choice(['+', '+', '-', '^'])} (long){self.variable()}"
            for _ in range(count - 1)
        ]
        return f"WATCH({self.place('w')}, {' '.join(terms)});"

    def form(self) -> None:
        """A statement or several."""
        if self.sides > 90 or len(self.lines) > 160:
            self.put(self.assign())
        else:
            self.random.choice(FORMS)(self)

    def _body(self) -> str:
        self.put("reset(in);")
        for name, kind in LOCALS.items():
            first = self.number() if self.random.random() < 0.3 else self.random.randrange(4)
            self.put(f"{kind} {name} = {first};")
        self.put("(void)a; (void)b; (void)c; (void)d; (void)e; (void)f; (void)g;")
        for _ in range(self.random.randrange(5, 13)):
            self.form()
            if self.random.random() < 0.2 and len(self.places) < 12:
                self.put(f"if ({self.condition()}) {self.watch()}")
        self.put(self.watch())
        return "\n".join(["  " + line for line in self.resets] + self.lines)

    def text(self, limits: list[str] | None) -> str:
        """The program for homi with these limits, or natively if there are none."""
        bits = f"#define BITS {self.bits}\n"
        head = "".join(self.functions)
        function = "__attribute__((noinline)) static void program(const unsigned char *in) {\n"
        function += self.body + "\n}\n"
        if limits is None:
            kinds = f'#define KINDS "{"".join(self.places).ljust(64, "-")}"\n'
            return bits + kinds + COMMON_FIRST + NATIVE + COMMON + head + function + NATIVE_MAIN
        condition = CALLED_CONDITION if self.calls else PLAIN_CONDITION
        faults = "".join(_fault(n, limit) for n, limit in enumerate(limits))
        return bits + SYMBOLIC + condition + faults + COMMON + head + function + SYMBOLIC_MAIN


# Headers come before the names that the native harness replaces.
COMMON_FIRST = "#include <stdlib.h>\n#include <errno.h>\n#include <fenv.h>\n"


def _fault(n: int, limit: str) -> str:
    operator = {">": ">", "<": "<"}.get(limit[0], "==")
    return (
        f"#define LIMIT{n} ({limit[1:]}l)\n#define BAD{n}(v) ((v) {operator} LIMIT{n})\n"
        f"__attribute__((noinline, noreturn)) static void fail{n}(void)"
        f' {{ __assert_fail("{n}", "program.c", {n}, "program"); }}\n'
    )


def limit_of(kind: str, counts: Counts, lot: random.Random) -> str:
    """When a place of a kind fails, given the values that came there: on few inputs or on none."""
    if kind == "m":
        return "=0"
    values = sorted(counts) or [0]
    if kind == "i":
        few = [f">{value}" for value in values[-4:-1]]
        none = [f">{values[-1]}", f">{values[-1] + 1}"]
    else:
        sign = "z" if kind == "z" else "="
        few = [f"{sign}{value}" for value in sorted(values, key=lambda value: counts[value])[:3]]
        inside = range(max(values[0], values[-1] - 99) - 1, values[-1] + 2)
        none = [f"{sign}{value}" for value in inside if value not in counts]
        if kind == "w" and len(values) > 1:
            few += [f">{values[-2]}", f"<{values[1]}"]
            none += [f">{values[-1]}", f"<{values[0]}"]
    most = counts.total() // SHARE
    few = [one for one in few if sum(counts[v] for v in values if fails(one, v)) <= most]
    return lot.choice(few if few and lot.random() < 0.65 else none)


def fails(limit: str, value: int) -> bool:
    """Whether a place with a limit fails on a value."""
    bound = int(limit[1:])
    return value > bound if limit[0] == ">" else value < bound if limit[0] == "<" else value == bound
