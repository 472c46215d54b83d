/* Fails at lines 31 and 33: bytes of an address tell how many blocks there were before. */
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
  char *block = malloc(8);
  if (in[2])
    count = 1;
  else
    count = 2;
  unsigned long number = 0;
  for (unsigned i = 0; i < sizeof block; i++)
    number |= (unsigned long)((unsigned char *)&block)[i] << 8 * i;
  /* The first block of a class is 24 KiB before the second. */
  number /= 24576;
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
