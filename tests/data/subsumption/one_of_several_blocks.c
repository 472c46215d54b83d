/* Fails at lines 29 and 31: a pointer leads to one of two blocks on some paths, and to a smaller
   one on others. */
#include <klee/klee.h>
#include <stdlib.h>

static unsigned char in[5];
static int count;

static void once(int second) {
  char *large = malloc(4), *other = malloc(4), *small = malloc(1);
  char *table[2], *to;
  table[0] = large, table[1] = other;
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
