/* Fails at lines 25 and 33: a case that one way cannot reach is reached by the other. */
#include <klee/klee.h>

static unsigned char in[4];
static int sum;

static void narrows(int much) {
  if (much) {
    if (in[1] != 1 && in[1] != 2)
      klee_silent_exit(0);
  } else if (in[1] < 1 || in[1] > 3) {
    klee_silent_exit(0);
  }
}

static void once(int second) {
  if (in[2])
    sum = 4;
  else
    sum = 5;
  if (second) {
    switch (in[1]) {
    case 1: sum = 1; break;
    case 2: sum = 2; break;
    case 3: klee_abort();
    default: sum = 3;
    }
  } else {
    switch (in[1]) {
    case 1: sum = 1; break;
    case 2: sum = 2; break;
    default: sum = 3; break;
    case 3: klee_abort();
    }
  }
}

int main(void) {
  klee_make_symbolic(in, sizeof in, "in");
  if (in[0]) {
    if (in[3])
      narrows(0);
    else
      narrows(1);
    once(1);
  } else {
    if (in[3])
      narrows(1);
    else
      narrows(0);
    once(0);
  }
  return sum;
}
