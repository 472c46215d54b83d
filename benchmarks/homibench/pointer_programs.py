"""Random C programs with pointers that 8 to 12 bits of input choose.

Each has a table of objects and chooses, masks, exclusive-ors, scales, tags, compares, follows,
frees and reallocates pointers, and uses sizes. Natively every input ends in an exit status or in a
signal, whatever the addresses are.
"""

import random

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
"""

class Program:
    """One random program, as C."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.bits = self.random.choice([8, 8, 10, 12])
        self.nodes = self.random.choice([2, 3, 5, 8, 12, 17, 24, 40, 64])
        self.lines = []
        self.names = 0
        self.freed = False

    def put(self, line):
        self.lines.append("  " + line)

    def fresh(self, prefix):
        self.names += 1
        return f"{prefix}{self.names}"

    def number(self):
        """An expression over the input, not negative."""
        choice = self.random.randrange(7)
        small = self.random.randrange(1, 9)
        if self.bits > 8:
            plain = ["x", "y", "(x + 256 * y)", "(x ^ y)", "(x * y)", f"(x >> {small % 8})"]
        else:
            plain = ["x", "(x & 15)", "(x >> 4)", "(x * 3)", "(x ^ 90)", f"(x >> {small % 8})"]
        return plain[choice % len(plain)]

    def index(self, count):
        """An index into a table of so many elements, always inside."""
        form = self.random.randrange(3)
        if form == 0:
            return f"({self.number()} % {count})"
        if form == 1 and count & (count - 1) == 0:
            return f"({self.number()} & {count - 1})"
        name = self.fresh("i")
        self.put(f"unsigned {name} = {self.number()};")
        self.put(f"if ({name} >= {count}) {name} = {self.random.randrange(count)};")
        return name

    def condition(self):
        value = self.random.randrange(1, 40)
        operator = self.random.choice(["==", "<", ">", "!="])
        return self.random.choice([
            f"({self.number()} {operator} {value})",
            f"({self.number()} & {1 << self.random.randrange(4)}) != 0",
        ])

    def slot(self):
        return f"table[{self.random.randrange(self.nodes)}]"

    def pointer(self):
        """A statement that declares a pointer to a node chosen by input; its name."""
        name = self.fresh("p")
        form = self.random.randrange(12)
        kept = self.put
        if form <= 2:
            kept(f"struct node *{name} = table[{self.index(self.nodes)}];")
        elif form == 3:
            kept(f"uintptr_t m{name} = -(uintptr_t)({self.condition()});")
            kept(f"struct node *{name} = (struct node *)(((uintptr_t){self.slot()} & m{name}) |"
                 f" ((uintptr_t){self.slot()} & ~m{name}));")
        elif form == 4:
            key = self.random.choice(["0x5a5a5a5a5a5a5a5aull", "0xffull", "(uintptr_t)&fixed[3]"])
            kept(f"uintptr_t k{name}[{self.nodes}];")
            kept(f"for (int i = 0; i < {self.nodes}; i++)")
            kept(f"  k{name}[i] = (uintptr_t)table[i] ^ {key};")
            at = self.index(self.nodes)
            kept(f"struct node *{name} = (struct node *)(k{name}[{at}] ^ {key});")
        elif form == 5:
            a, b = self.slot(), self.slot()
            kept(f"uintptr_t d{name} = (uintptr_t){a} ^ (uintptr_t){b};")
            kept(f"struct node *{name} = (struct node *)((uintptr_t){a} ^ (d{name} *"
                 f" (uintptr_t)({self.condition()})));")
        elif form == 6:
            a, b = self.slot(), self.slot()
            kept(f"uintptr_t d{name} = (uintptr_t){b} - (uintptr_t){a};")
            kept(f"struct node *{name} = (struct node *)((uintptr_t){a} + d{name} *"
                 f" (uintptr_t)({self.condition()}));")
        elif form == 7:
            kept(f"uintptr_t t{name} = (uintptr_t)table[{self.index(self.nodes)}] |"
                 f" ({self.number()} & 7);")
            kept(f"if ((t{name} & 7) == {self.random.randrange(8)}) r += 5;")
            kept(f"struct node *{name} = (struct node *)(t{name} & ~(uintptr_t)7);")
        elif form == 8:
            kept(f"struct node *{name} = &fixed[{self.index(8)}];")
        elif form == 9:
            kept(f"struct node *{name} = {self.condition()} ? {self.slot()} :"
                 f" {self.condition()} ? {self.slot()} : {self.slot()};")
        elif form == 10:
            source = self.fresh("s")
            kept(f"struct node *{source} = table[{self.index(self.nodes)}];")
            kept(f"unsigned char b{name}[8];")
            kept(f"memcpy(b{name}, &{source}, 8);")
            kept(f"uintptr_t u{name} = 0;")
            kept(f"for (int i = 0; i < 8; i++) u{name} |= (uintptr_t)b{name}[i] << (8 * i);")
            kept(f"struct node *{name} = (struct node *)u{name};")
        else:
            kept(f"struct node *{name} = table[{self.index(self.nodes)}];")
            kept(f"for (int i = 0; i < {self.random.randrange(1, 4)} && {name}; i++)"
                 f" {name} = {name}->next;")
        return name

    def statement(self):
        """Something that uses pointers or sizes, and changes r."""
        form = self.random.randrange(17)
        put, rand = self.put, self.random.randrange
        if form <= 3:
            pointer = self.pointer()
            if rand(4) != 0:
                put(f"if (!{pointer}) return {rand(110, 120)};")
            put(f"r += {pointer}->{self.random.choice(['value', 'tag', 'count'])};")
        elif form <= 5:
            pointer = self.pointer()
            put(f"if ({pointer}) {{")
            put(f"  {pointer}->value {self.random.choice(['+=', '=', '^='])} {rand(1, 50)};")
            if rand(2):
                put(f"  {pointer}->tag = (unsigned char){self.number()};")
            put("}")
            slot = self.slot()
            put(f"if ({slot}) r += {slot}->value + {slot}->tag;")
        elif form == 6:
            pointer = self.pointer()
            put(f"if ({pointer} == {self.slot()}) r += {rand(1, 30)};")
            put(f"if ({pointer} && ((uintptr_t){pointer} & 7) != 0) return {rand(120, 130)};")
        elif form == 7:
            pointer = self.pointer()
            needle = rand(self.nodes)
            put(f"if ({pointer} && {pointer} == table[{needle}]) {{")
            put(f"  if ({self.condition()}) abort();" if rand(2) else f"  return {rand(130, 140)};")
            put("}")
        elif form == 8:
            i, j = self.index(8), self.index(8)
            put(f"{{ struct node *a = &fixed[{i}], *b = &fixed[{j}];")
            put(f"  r += a < b ? 1 : a == b ? 7 : (int)(a - b);")
            put(f"  a->value += 2; r += b->value; }}")
        elif form == 9:
            most = self.random.choice([9, 33, 100, 300, 1000])
            name = self.fresh("n")
            put(f"size_t {name} = {self.number()} % {most};")
            kind = rand(4)
            if kind == 0:
                put(f"memset(bytes, {rand(1, 9)}, {name});")
                put(f"r += bytes[{rand(most)}] + bytes[{name}];")
            elif kind == 1:
                put(f"for (int i = 0; i < 300; i++) others[i] = (unsigned char)(i * 7);")
                put(f"memcpy(bytes + {rand(4)}, others, {name});")
                put(f"r += bytes[{rand(min(most, 300))}] & 31;")
            elif kind == 2:
                put(f"{{ unsigned char room[{name} + 1]; memset(room, 3, {name} + 1);")
                put(f"  room[{name}] = 5; r += room[{name} / 2] + room[{name}]; }}")
            else:
                put(f"{{ unsigned char *room = malloc({name} + 1); if (!room) return 99;")
                put(f"  room[{name}] = 9; room[0] = 4; r += room[{name}];")
                put(f"  if ({name} > {rand(most)}) r += 3; free(room); }}")
        elif form == 10:
            put(f"{{ unsigned char *at = bytes + {self.index(200)};")
            put(f"  *at = (unsigned char)({self.number()} + 1); r += bytes[{rand(200)}]; }}")
        elif form == 11:
            put(f"{{ static int cells[64]; unsigned c = {self.index(64)};")
            put(f"  cells[c] += {rand(1, 9)}; r += cells[{rand(64)}] + cells[{self.index(64)}]; }}")
        elif form == 12 and not self.freed:
            # Frees end the use of the table.
            self.freed = True
            self.free_table()
        elif form == 13:
            name = self.index(self.nodes)
            size = self.random.choice(["40", f"(sizeof(struct node) + {self.number()} % 50)"])
            put(f"if (owned[{name}]) {{")
            put(f"  struct node *grown = realloc(owned[{name}], {size});")
            put(f"  if (!grown) return 98;")
            # Other pointers to the block are stale now.
            put("  return (r + grown->value) & 63;")
            put("}")
        elif form == 14:
            pointer = self.pointer()
            put(f"{{ uintptr_t t = (uintptr_t){pointer} ^ ((uintptr_t)({self.condition()}) << 62);")
            put(f"  if ({pointer}) r += ((struct node *)t)->tag; }}")
        elif form == 15:
            a, b = rand(1, 50), rand(50)
            least = self.random.choice(["INT32_MIN", "100", "7"])
            put(f"{{ int left = {least} + (int)({self.number()} % 2);")
            put(f"  int right = (int)({self.number()} % {a}) - {b};")
            put(f"  if (right != 0) r += left {self.random.choice('/%')} right; }}")
        else:
            pointer = self.pointer()
            other = self.pointer()
            put(f"if ({pointer} && {other} && {pointer} != {other}) {{")
            put(f"  {pointer}->count = {other}->count + 1; r += {other}->value - {pointer}->count;")
            put("}")

    def free_table(self):
        put, rand = self.put, self.random.randrange
        kind = rand(4)
        name = self.index(self.nodes)
        if kind == 0:
            put(f"{{ void *gone = owned[{name}]; free(gone); owned[{name}] = 0;")
            put(f"  for (int i = 0; i < {self.nodes}; i++) free(owned[i]);")
            put(f"  return gone ? {rand(140, 150)} : {rand(150, 160)}; }}")
        elif kind == 1:
            put(f"free(owned[{name}]);")
            put(f"free(owned[{rand(self.nodes)}]);")
            put("return r & 63;")
        elif kind == 2:
            put(f"{{ void *some[4] = {{malloc(0), 0, malloc(7), malloc(0)}};")
            put(f"  unsigned w = {self.number()} & 3; free(some[w]); some[w] = 0;")
            put("  for (int i = 0; i < 4; i++) free(some[i]); r += w; }")
        else:
            put(f"{{ char *inner = (char *)malloc(64) + 8 * ({self.condition()});")
            put("  free(inner); }")
            put("return r & 31;")

    def text(self):
        self.put("unsigned x = in[0], y = in[1];")
        if self.bits > 8:
            self.put(f"if (y >= {1 << (self.bits - 8)}) return 249;")
        self.put("int r = 0;")
        self.put("(void)y;")
        self.put("for (int i = 0; i < 8; i++) { fixed[i].value = i * 3; fixed[i].tag = 40 - i; }")
        kinds = self.random.choice(["heap", "heap", "mixed", "holes"])
        self.put(f"struct node *table[{self.nodes}], *owned[{self.nodes}];")
        self.put(f"for (int i = 0; i < {self.nodes}; i++) {{")
        self.put("  owned[i] = calloc(1, sizeof(struct node)); if (!owned[i]) return 97;")
        step = self.random.randrange(1, 30)
        self.put(f"  owned[i]->value = (i * {step} + 3) % 101; owned[i]->tag = i * 5 % 50;")
        self.put("  owned[i]->count = i; owned[i]->next = i ? owned[i / 2] : 0;")
        self.put("  table[i] = owned[i];")
        self.put("}")
        if kinds != "heap":
            for _ in range(self.random.randrange(1, 4)):
                at = self.random.randrange(self.nodes)
                options = ["&fixed[%d]" % self.random.randrange(8), "0", "(struct node *)16",
                           "table[%d]" % self.random.randrange(self.nodes)]
                if kinds == "mixed":
                    options = options[::3]
                self.put(f"table[{at}] = {self.random.choice(options)};")
        for _ in range(self.random.randrange(2, 6)):
            self.statement()
        self.put("return (unsigned)r % 23;")
        body = "\n".join(self.lines)
        return HEAD + "int program(const unsigned char *in) {\n" + body + "\n}\n"
