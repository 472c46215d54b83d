/* Fails at lines 28 and 30: a function returns to another place on one of the paths. */
#include <klee/klee.h>

static unsigned char in[4];
static int count, other;

__attribute__((noinline)) static void counts(void) {
  if (in[2])
    count++;
  else
    other++;
}

static void once(int second) {
  if (second) {
    if (in[1])
      counts();
    else
      { counts(); count = 0; }
  } else {
    if (in[1])
      { counts(); count = 0; }
    else
      counts();
  }

  if (second)
    klee_assert(!count);
  else
    klee_assert(!count);
}

int main(void) {
  klee_make_symbolic(in, sizeof in, "in");
  once(in[0]);
  return 0;
}
