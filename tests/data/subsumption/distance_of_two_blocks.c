/* Fails at lines 29 and 31: how far two blocks are from each other tells what was made between
   them. */
#include <klee/klee.h>
#include <stdlib.h>

static unsigned char in[5];
static int count;

static void once(int second) {
  char *first = malloc(8), *last;
  if (second) {
    if (in[1])
      malloc(8);
    else
      count = 1;
  } else {
    if (in[1])
      count = 1;
    else
      malloc(8);
  }
  last = malloc(8);
  if (in[2])
    count = 1;
  else
    count = 2;
  long distance = last - first;
  if (second)
    klee_assert(distance > 36000);
  else
    klee_assert(distance > 36000);
}

int main(void) {
  klee_make_symbolic(in, sizeof in, "in");
  once(in[0]);
  return 0;
}
