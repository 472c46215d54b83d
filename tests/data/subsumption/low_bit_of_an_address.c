/* Fails at lines 29 and 31: a bit of a pointer to a block tells on which path it was made. */
#include <klee/klee.h>
#include <stdlib.h>

static unsigned char in[5];
static int count;

static void once(int second) {
  unsigned long first = (unsigned long)malloc(8), block = (unsigned long)malloc(4);
  unsigned long tagged;
  if (second) {
    if (in[1])
      tagged = first | 1;
    else
      tagged = block;
  } else {
    if (in[1])
      tagged = block;
    else
      tagged = first | 1;
  }
  if (in[2])
    count = 1;
  else
    count = 2;
  char *to = (char *)(tagged & ~1ul);
  to[0] = 1;
  if (second)
    klee_assert((tagged & 1) == 0);
  else
    klee_assert((tagged & 1) == 0);
}

int main(void) {
  klee_make_symbolic(in, sizeof in, "in");
  once(in[0]);
  return 0;
}
