/* Fails at lines 16 and 18: the program asks whether a value is symbolic, which is a number on one
   of the paths. */
#include <klee/klee.h>

static unsigned char in[4];
static int count;

static void once(int second, int copies) {
  unsigned char value = 5;
  if (copies)
    value = in[1];
  if (in[2])
    count = 1;
  else
    count = 2;
  klee_assert(second || !klee_is_symbolic(value));
  if (second)
    klee_assert(klee_is_symbolic(value));
}

int main(void) {
  klee_make_symbolic(in, sizeof in, "in");
  if (in[3])
    once(0, in[0] != 0);
  else
    once(1, in[0] != 0);
  return 0;
}
