/* Fails at lines 27, 28, 29 and 30: a pointer leads to a local, or to one of a call that is over
   and lay at the same address. */
#include <klee/klee.h>

static unsigned char in[5];
static int count, second, left;
static int *to;

static void keep(int *at)
{
  to = at;
}

static void leave(void) {
  int gone = 1;
  keep(&gone);
}

static void use(void) {
  int here = 1;
  if (!left)
    keep(&here);
  if (in[2])
    count = 1;
  else
    count = 2;
  if (second) *to = 1;
  else *to = 1;
  if (second) klee_assert(in[3] != 7);
  else klee_assert(in[3] != 7);
}

static void once(void) {
  if (second) {
    if (in[1])
      left = 1;
    else
      left = 0;
  } else {
    if (in[1])
      left = 0;
    else
      left = 1;
  }
  if (left)
    leave();
  use();
}

int main(void) {
  klee_make_symbolic(in, sizeof in, "in");
  if (in[0])
    second = 1;
  else
    second = 0;
  once();
  return 0;
}
