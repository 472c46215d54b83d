"""Random C programs with pointers that 8 to 12 bits of input choose.

Each has a table of objects. A program makes pointers in the ways of `pointer_forms` and uses them,
and sizes, in the ways of `pointer_uses`. Natively every input ends in an exit status or in a
signal, whatever the addresses are.
"""

import random

from homibench import pointer_forms, pointer_uses

NATIVE = r"""
#include <stdio.h>
#include <stdlib.h>
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>
#include <sys/resource.h>
int program(const unsigned char *in);
int main(void) {
  struct rlimit none = {0, 0};
  setrlimit(RLIMIT_CORE, &none);
  for (unsigned n = 0; n < 1u << BITS; n++) {
    unsigned char in[2] = {n & 255, n >> 8};
    pid_t child = fork();
    if (child == 0) {
      int nothing = open("/dev/null", O_WRONLY);
      dup2(nothing, 2);
      alarm(5);
      _exit(program(in));
    }
    int status = 0;
    waitpid(child, &status, 0);
    printf("%d\n", WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status));
  }
  return 0;
}
"""

# Compiled without optimisation, so that each status is a path of its own.
SYMBOLIC = r"""
#include <unistd.h>
int program(const unsigned char *in);
int main(void) {
  unsigned char in[2] = {0, 0};
  if (read(0, in, BITS > 8 ? 2 : 1) != (BITS > 8 ? 2 : 1)) return 250;
  int status = program(in);
  for (int k = 0; k < 256; k++)
    if (status == k) return k;
  return 251;
}
"""

HEAD = r"""
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
struct node {
  int value;
  unsigned char tag;
  short count;
  struct node *next;
};
static struct node fixed[8];
static unsigned char bytes[4200];
static unsigned char others[4200];
static int by_value(const void *left, const void *right) {
  struct node *a = *(struct node *const *)left, *b = *(struct node *const *)right;
  if (!a || !b) return !a - !b;
  /* All that is looked at counts: libraries differ in the order of what is equal. */
  return a->value != b->value ? a->value - b->value : a->tag - b->tag;
}
static int plus(int x) { return x + 1; }
static int twice(int x) { return 2 * x; }
static int least(int x) { return x < 7 ? x : 7; }
__attribute__((noinline)) static uintptr_t dead(int x) {
  struct node gone = {x, 1, 2, 0};
  struct node *volatile at = &gone;
  return (uintptr_t)at;
}
"""


class Program:
    """One random program, as C."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.bits = self.random.choice([8, 8, 10, 12])
        self.nodes = self.random.choice([2, 3, 5, 8, 12, 17, 24, 40, 64])
        self.lines: list[str] = []
        self.names = 0
        # Whether the tables may be freed still, which ends their use.
        self.may_free = True

    def put(self, *lines: str) -> None:
        """Adds lines of the function."""
        self.lines.extend("  " + line for line in lines)

    def fresh(self, prefix: str) -> str:
        """A name that is not used yet."""
        self.names += 1
        return f"{prefix}{self.names}"

    def number(self) -> str:
        """An expression over the input, not negative."""
        choice = self.random.randrange(7)
        small = self.random.randrange(1, 9)
        if self.bits > 8:
            plain = ["x", "y", "(x + 256 * y)", "(x ^ y)", "(x * y)", f"(x >> {small % 8})"]
        else:
            plain = ["x", "(x & 15)", "(x >> 4)", "(x * 3)", "(x ^ 90)", f"(x >> {small % 8})"]
        return plain[choice % len(plain)]

    def index(self, count: int) -> str:
        """An index into a table of so many elements, always inside."""
        form = self.random.randrange(3)
        if form == 0:
            return f"({self.number()} % {count})"
        if form == 1 and count & (count - 1) == 0:
            return f"({self.number()} & {count - 1})"
        name = self.fresh("i")
        self.put(
            f"unsigned {name} = {self.number()};",
            f"if ({name} >= {count}) {name} = {self.random.randrange(count)};",
        )
        return name

    def condition(self) -> str:
        """A comparison of the input."""
        value = self.random.randrange(1, 40)
        operator = self.random.choice(["==", "<", ">", "!="])
        compared = f"({self.number()} {operator} {value})"
        tested = f"(({self.number()} & {1 << self.random.randrange(4)}) != 0)"
        return self.random.choice([compared, tested])

    def slot(self) -> str:
        """A fixed place of the table."""
        return f"table[{self.random.randrange(self.nodes)}]"

    def pointer(self) -> str:
        """The name of a new pointer to a node that the input chooses; it may be null or wrong."""
        name = self.fresh("p")
        self.random.choice(pointer_forms.FORMS)(self, name)
        return name

    def table(self) -> None:
        """The objects and the pointers to them."""
        step = self.random.randrange(1, 30)
        self.put(
            f"struct node *table[{self.nodes}], *owned[{self.nodes}];",
            f"for (int i = 0; i < {self.nodes}; i++) {{",
            "  owned[i] = calloc(1, sizeof(struct node)); if (!owned[i]) return 97;",
            f"  owned[i]->value = (i * {step} + 3) % 101; owned[i]->tag = i * 5 % 50;",
            "  owned[i]->count = i; owned[i]->next = i ? owned[i / 2] : 0;",
            "  table[i] = owned[i];",
            "}",
        )
        kind = self.random.choice(["heap", "heap", "mixed", "holes"])
        for _ in range(self.random.randrange(1, 4) if kind != "heap" else 0):
            at = self.random.randrange(self.nodes)
            options = [f"&fixed[{self.random.randrange(8)}]", self.slot()]
            if kind == "holes":
                options += ["0", "(struct node *)16"]
            self.put(f"table[{at}] = {self.random.choice(options)};")

    def text(self) -> str:
        """The program: a function of the input's bytes."""
        self.put("unsigned x = in[0], y = in[1];")
        if self.bits > 8:
            self.put(f"if (y >= {1 << (self.bits - 8)}) return 249;")
        self.put(
            "int r = 0;",
            "(void)y;",
            "for (int i = 0; i < 8; i++) { fixed[i].value = i * 3; fixed[i].tag = 40 - i; }",
        )
        self.table()
        for _ in range(self.random.randrange(2, 6)):
            self.random.choices(pointer_uses.USES, pointer_uses.WEIGHTS)[0](self)
        self.put("return (unsigned)r % 23;")
        body = "\n".join(self.lines)
        return HEAD + "int program(const unsigned char *in) {\n" + body + "\n}\n"
