"""Random C programs whose paths meet in equal, nearly equal and different states.

A program is one function of 8 to 12 bits of input, in one of twenty of 16, with places that can
fail: assertions and faults. Every condition is numbered by B, every case of a switch by N. How
rarely a place fails is set after a native run over all inputs has counted the values there, by
`subsumption_native`. The forms of statements are in `subsumption_control`, `subsumption_values`,
`subsumption_memory`, `subsumption_heap` and `subsumption_library`; by MODEL they keep natively what
it takes to see a fault of memory.
"""

import random

from homibench import (
    subsumption_control,
    subsumption_heap,
    subsumption_library,
    subsumption_memory,
    subsumption_texts,
    subsumption_values,
)

LOCALS = {"a": "unsigned char", "b": "signed char", "c": "short", "d": "int", "e": "int"}
LOCALS |= {"f": "unsigned", "g": "long"}
GLOBALS = ["G0", "G1", "S.p", "S.q", "S.r[0]", "cells[1]", "cells[5]", "bytes[3]"]
# Those of type int, whose addresses may be taken.
INTEGERS = ["d", "e", "G0", "G1", "S.p", "cells[1]", "cells[5]"]
FORMS = [*subsumption_control.FORMS, *subsumption_values.FORMS]
FORMS += [*subsumption_memory.FORMS, *subsumption_library.FORMS, *subsumption_heap.FORMS]


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

    def between(self) -> str:
        """What stands between the parts of a form; paths may meet there."""
        lot = self.random.random()
        return f"if ({self.condition()}) {self.assign()}" if lot < 0.5 else self.assign()

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
            lot = self.random.random()
            if lot < 0.4 and len(self.places) < 12:
                self.put(self.watch() if lot < 0.2 else f"if ({self.condition()}) {self.watch()}")
        self.put(self.watch())
        return "\n".join(["  " + line for line in self.resets] + self.lines)

    def text(self, limits: list[str] | None) -> str:
        """The program for homi with these limits, or natively if there are none."""
        texts = subsumption_texts
        bits = f"#define BITS {self.bits}\n"
        head = "".join(self.functions)
        function = "__attribute__((noinline)) static void program(const unsigned char *in) {\n"
        function += self.body + "\n}\n"
        if limits is None:
            kinds = f'#define KINDS "{"".join(self.places).ljust(64, "-")}"\n'
            before = bits + kinds + texts.COMMON_FIRST + texts.NATIVE + texts.COMMON
            return before + head + function + texts.NATIVE_MAIN
        condition = texts.CALLED_CONDITION if self.calls else texts.PLAIN_CONDITION
        faults = "".join(texts.fault(n, limit) for n, limit in enumerate(limits))
        before = bits + texts.SYMBOLIC + condition + faults + texts.COMMON
        return before + head + function + texts.SYMBOLIC_MAIN
