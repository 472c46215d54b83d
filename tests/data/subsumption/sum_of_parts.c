/* Fails at lines 28 and 30: bits of an address and an input tell how many blocks there were. */
#include <klee/klee.h>
#include <stdlib.h>

static unsigned char in[5];
static int count;

static void once(int second) {
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
  if (in[2])
    count = 1;
  else
    count = 2;
  char *block = malloc(8);
  /* The low bits are zero, so the sum is joined of two parts. Blocks are 24 KiB apart. */
  unsigned long number = (unsigned long)(block + (in[3] & 15)) >> 13;
  if (second)
    klee_assert(number & 1);
  else
    klee_assert(number & 1);
}

int main(void) {
  klee_make_symbolic(in, sizeof in, "in");
  once(in[0]);
  return 0;
}
