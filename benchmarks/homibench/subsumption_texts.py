"""Code around the function of a random program: natively, and for homi.

Natively one process runs it on all inputs, and a place that fails jumps back to the loop. For homi
a place that fails is an assertion or a fault, and MODEL is nothing.
"""

# The program for both engines; `reset` starts a path again.
COMMON = r"""
#include <errno.h>
#include <fenv.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
struct pair { int p; unsigned char q; short r[2]; };
struct link { int value; struct link *next; };
struct node { int key; struct node *below[2]; };
struct holder { int *first, *at[2]; long mark; };
static unsigned x, y;
static int G0, G1, cells[8];
static struct pair S;
static unsigned char bytes[24];
static jmp_buf jump;
static int plus(int v) { return v + 1; }
static int twice(int v) { return 2 * v; }
static int least(int v) { return v < 5 ? v : 5; }
static int by_value(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
static int all(int count, ...) {
  va_list list;
  int sum = 0;
  va_start(list, count);
  while (count-- > 0) sum = 2 * sum + va_arg(list, int);
  va_end(list);
  return sum;
}
static void grow(struct node **at, int key) {
  while (*at && (*at)->key != key) at = &(*at)->below[(*at)->key < key];
  if (!*at) { *at = calloc(1, sizeof **at); (*at)->key = key; }
}
static int height(const struct node *at, int key) {
  int steps = 0;
  for (; at && at->key != key; at = at->below[at->key < key]) steps++;
  return at ? steps : -1;
}
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
static _Alignas(16) unsigned char room[1 << 18];
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
  unsigned char *at = room + used + 16;
  used = (used + 16 + size + 15) & ~15ul;
  if (used > sizeof room) abort();
  memcpy(at - 16, &size, sizeof size);
  memset(at, 0, size);
  return at;
}
static void *relent(const void *old, unsigned long size) {
  unsigned long had;
  void *at = lent(size);
  memcpy(&had, (const unsigned char *)old - 16, sizeof had);
  return memcpy(at, old, had < size ? had : size);
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
#define realloc(p, size) relent(p, size)
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

# A separate location for each failure, since an optimizer would merge several calls.
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

# Form of a condition for homi: plain, or a call that optimizers keep.
PLAIN_CONDITION = "#define B(n, c) (c)\n#define N(n) (void)0\n"
CALLED_CONDITION = """
__attribute__((noinline, optnone)) static int noted(int value) { if (value) return 1; return 0; }
#define B(n, c) noted((c) != 0)
#define N(n) (void)noted(1)
"""

# Headers come before the names that the native harness replaces.
COMMON_FIRST = "#include <stdlib.h>\n#include <errno.h>\n#include <fenv.h>\n"


def fault(n: int, limit: str) -> str:
    """What homi's program has for a place with a limit: when it fails, and how."""
    operator = {">": ">", "<": "<"}.get(limit[0], "==")
    return (
        f"#define LIMIT{n} ({limit[1:]}l)\n#define BAD{n}(v) ((v) {operator} LIMIT{n})\n"
        f"__attribute__((noinline, noreturn)) static void fail{n}(void)"
        f' {{ __assert_fail("{n}", "program.c", {n}, "program"); }}\n'
    )
