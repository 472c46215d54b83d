"""Random C programs that call libc and the kernel with arguments that input chooses.

A program reads two to four symbolic bytes, makes some calls of one or two families and prints what
they give. A form is C with placeholders such as `@word{a|b}`, which `Program.expanded` replaces: what
stands for a fixed choice is chosen by the seed, what stands for a symbolic one depends on the bytes
read. No form has undefined behavior, so homi must find no bug.
"""

import random
import re

HEAD = r"""
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <locale.h>
#include <math.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#include <wchar.h>
#include <wctype.h>
static unsigned char in[8];
static unsigned result;
static char buf[512];
static wchar_t wide[128];
static void add(long long value) { result = result * 7 + (unsigned)value; }
static void show(const char *what, long long value) {
  printf("%s: %lld\n", what, value);
  add(value);
}
static void bytes(const char *what, const void *from, size_t size) {
  const unsigned char *at = from;
  printf("%s:", what);
  if (!at) printf(" null");
  for (size_t i = 0; at && i < size && i < 80; i++) printf(" %02x", at[i]);
  printf("\n");
  for (size_t i = 0; at && i < size; i++) add(at[i]);
}
/* The index that a byte chooses, one path each. */
static int one(unsigned char byte, int count) {
  for (int i = 0; i < count - 1; i++)
    if (byte % count == i) return i;
  return count - 1;
}
#define S(e) do { errno = 0; show(#e, (long long)(e)); } while (0)
/* With the error, if the call fails. */
#define E(e) do { errno = 0; long long v_ = (long long)(e); int e_ = v_ < 0 ? errno : 0; show(#e, v_); if (e_) show("errno", e_); } while (0)
/* The same, and the value stays in a variable. */
#define E2(d, e) errno = 0; int d = (e); if (d < 0) show("errno", errno)
/* With errno, whatever the call gives. */
#define A(e) do { errno = 0; long long v_ = (long long)(e); int e_ = errno; show(#e, v_); show("errno", e_); } while (0)
#define D(e) do { double d_ = (e); long long b_ = 0; if (d_ == d_) memcpy(&b_, &d_, 8); else b_ = -1; show(#e, b_); } while (0)
#define L(e) do { long double l_ = (e); D((double)l_); D((double)(l_ - (double)l_)); } while (0)
#define T(p) do { const char *t_ = (p); bytes(#p, t_, t_ ? strlen(t_) : 0); } while (0)
#define W(p) do { const wchar_t *t_ = (p); bytes(#p, t_, t_ ? 4 * wcslen(t_) : 0); } while (0)
"""

# The exit status of a program that cannot read its bytes.
NO_INPUT = 250
READS = {
    "argument": "if (argc > 1) memcpy(in, argv[1], strnlen(argv[1], %d));",
    "stdin": "if (read(0, in, %d) < 0) return 250;",
    "file": 'FILE *file = fopen("A", "r"); if (!file || fread(in, 1, %d, file) == 0) return 250;',
}
WORDS = {
    "argument": "--sym-arg {}",
    "stdin": "--sym-stdin {}",
    "file": "--sym-files 1 {}",
}
# Lines of forms that go before `main`.
OUTSIDE = ("#include", "TOP ")
TOKEN = re.compile(r"@(\w+)\{([^{}]*)\}")
NUMBERS = "0 1 -1 2 7 10 255 256 -128 32767 65536 2147483647 -2147483648LL 4294967296LL".split()
NUMBERS += ["9223372036854775807LL", "(-9223372036854775807LL - 1)", "1000000007"]
DOUBLES = "0.0 -0.0 0.5 1.0 -1.5 2.5 0.1 1e10 123456.789 1e-5 1e22 9.9999e15 5e-324".split()
DOUBLES += "1.7976931348623157e308 INFINITY -INFINITY NAN 0x1p-1022 3.0000000001 999999.5".split()


class Program:
    """One random program, as C."""

    def __init__(self, seed: int, families: dict[str, list[str]], steps: int = 2) -> None:
        self.random = random.Random(seed)
        self.size = self.random.choice([2, 2, 3, 4])
        self.reads = self.random.choice(["argument", "argument", "stdin", "file"])
        self.used = 0
        self.names = 0
        self.before: list[str] = []
        self.family = self.random.choice(sorted(families))
        forms = families[self.family]
        chosen = self.random.sample(forms, min(len(forms), self.random.randrange(1, steps + 1)))
        self.steps = [self.step(form) for form in chosen]

    def args(self) -> list[str]:
        """The arguments that give homi the program's symbolic bytes."""
        return WORDS[self.reads].format(self.size).split()

    def byte(self) -> str:
        """A byte of the input; each is used before one is used again."""
        self.used += 1
        return f"in[{(self.used - 1) % self.size}]"

    def text(self, letters: str, most: int) -> str:
        """An array whose letters are chosen by the seed, and one or two by input."""
        letters = letters.replace("_", " ")
        length = self.random.randrange(1, most + 1)
        symbolic = {self.random.randrange(length), self.random.randrange(length)}
        chars = [
            self.char(letters) if at in symbolic else quoted(self.random.choice(letters))
            for at in range(length)
        ]
        self.names += 1
        self.before.append(f"char t{self.names}[] = {{{', '.join([*chars, '0'])}}};")
        return f"t{self.names}"

    def char(self, letters: str) -> str:
        """A letter that input chooses among at most eight of these."""
        letters = letters.replace("_", " ")
        some = "".join(self.random.sample(letters, min(8, len(letters))))
        text = some.replace("\\", "\\\\").replace('"', '\\"').replace("?", "\\?")
        return f'"{text}"[{self.byte()} % {len(some)}]'

    def any(self, alternatives: list[str]) -> str:
        """One of some constant expressions of a type, by input: `type:a|b|c`."""
        kind, _, first = alternatives[0].partition(":")
        all_of = [first, *alternatives[1:]]
        some = self.random.sample(all_of, min(4, len(all_of)))
        return f"(({kind}[]){{{', '.join(some)}}})[one({self.byte()}, {len(some)})]"

    def replaced(self, match: re.Match) -> str:
        """The replacement of a placeholder of a form."""
        name, inner = match[1], match[2]
        if name == "word":
            return self.random.choice(inner.split("|"))
        if name == "text":
            return self.text(inner, 5)
        if name == "short":
            return self.text(inner, 3)
        if name == "char":
            return self.char(inner)
        if name == "any":
            return self.any(inner.split("|")).replace("{", "\1").replace("}", "\2")
        if name == "up":
            return f"({self.byte()} % {inner})"
        if name == "one":
            return f"one({self.byte()}, {inner})"
        if name == "byte":
            return self.byte()
        if name == "number":
            return self.random.choice(NUMBERS)
        if name == "double":
            return self.random.choice(DOUBLES)
        raise ValueError(f"@{name} is not a placeholder of forms")

    def expanded(self, form: str) -> str:
        """The form as C."""
        while TOKEN.search(form):
            form = TOKEN.sub(self.replaced, form)
        return form.replace("\1", "{").replace("\2", "}")

    def step(self, form: str) -> tuple[list[str], str]:
        """Lines that go before `main`, and a block of statements."""
        self.before = []
        lines = self.expanded(form).strip().splitlines()
        outside = [line.strip() for line in lines if line.lstrip().startswith(OUTSIDE)]
        inside = [line for line in lines if not line.lstrip().startswith(OUTSIDE)]
        block = "\n    ".join(["  {", *self.before, *(line.strip() for line in inside)])
        return outside, block + "\n  }"

    def source(self) -> str:
        """The whole program."""
        outside = [line for lines, _ in self.steps for line in lines]
        headers = sorted({line for line in outside if line.startswith("#include")})
        others = [line.removeprefix("TOP ") for line in outside if line not in headers]
        locale = self.random.choice(["", '  setlocale(LC_ALL, "C.UTF-8");'])
        lines = ["#define _GNU_SOURCE", *headers, HEAD.strip(), *dict.fromkeys(others)]
        lines += ["int main(int argc, char **argv) {", "  " + READS[self.reads] % self.size, locale]
        lines += [block for _, block in self.steps]
        return "\n".join([*lines, "  return result % 61;", "}"]) + "\n"


def quoted(letter: str) -> str:
    """A letter as a constant of C."""
    return "'" + ("\\" if letter in "\\'" else "") + letter + "'"
