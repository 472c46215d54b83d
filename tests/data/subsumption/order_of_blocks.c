/* Fails at lines 26 and 28: which of two blocks was made first tells how their addresses compare. */
#include <klee/klee.h>
#include <stdlib.h>

static unsigned char in[5];
static int count;

static void once(int second) {
  char *low = malloc(8), *high = malloc(8), *kept, *other;
  if (second) {
    if (in[1])
      kept = low, other = high;
    else
      kept = high, other = low;
  } else {
    if (in[1])
      kept = high, other = low;
    else
      kept = low, other = high;
  }
  if (in[2])
    count = 1;
  else
    count = 2;
  if (second)
    klee_assert(kept < other);
  else
    klee_assert(kept < other);
}

int main(void) {
  klee_make_symbolic(in, sizeof in, "in");
  once(in[0]);
  return 0;
}
