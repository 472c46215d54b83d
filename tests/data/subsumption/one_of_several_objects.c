/* Fails at lines 28 and 30: a pointer leads to one of two objects on some paths, and to a smaller
   one on others. */
#include <klee/klee.h>

static unsigned char in[4];
static char large[4], other[4], small[1];
static char *table[2] = {large, other};
static char *to;
static int count;

static void once(int second) {
  if (second) {
    if (in[1])
      to = small;
    else
      to = table[in[3] & 1];
  } else {
    if (in[1])
      to = table[in[3] & 1];
    else
      to = small;
  }
  if (in[2])
    count = 1;
  else
    count = 2;
  if (second)
    to[1] = 1;
  else
    to[1] = 1;
}

int main(void) {
  klee_make_symbolic(in, sizeof in, "in");
  once(in[0]);
  return 0;
}
