/* Fails at lines 24 and 26: the place to write to in a local is known, and another one on some
   paths. */
#include <klee/klee.h>

static unsigned char in[4];
static int place;

static void once(int second) {
  int numbers[4];
  if (second) {
    if (in[1])
      place = 4;
    else
      place = 2;
  } else {
    if (in[1])
      place = 2;
    else
      place = 4;
  }
  if (in[2])
    numbers[0] = 1;
  if (second)
    numbers[place] = 1;
  else
    numbers[place] = 1;
}

int main(void) {
  klee_make_symbolic(in, sizeof in, "in");
  once(in[0]);
  return 0;
}
