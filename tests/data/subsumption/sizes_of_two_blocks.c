/* Fails at lines 27 and 29: two pointers lead to blocks of other sizes on other paths. */
#include <klee/klee.h>
#include <stdlib.h>

static unsigned char in[5];
static int count;

static void once(int second) {
  char *small = malloc(4), *large = malloc(8), *one, *two;
  if (second) {
    if (in[1])
      one = small, two = large;
    else
      one = large, two = small;
  } else {
    if (in[1])
      one = large, two = small;
    else
      one = small, two = large;
  }
  if (in[2])
    count = 1;
  else
    count = 2;
  two[3] = 1;
  if (second)
    one[5] = 1;
  else
    one[5] = 1;
}

int main(void) {
  klee_make_symbolic(in, sizeof in, "in");
  once(in[0]);
  return 0;
}
