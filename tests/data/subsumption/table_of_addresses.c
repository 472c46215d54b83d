/* Fails at lines 28 and 30: a table of pointers holds another one on some paths, and is read at a
   symbolic place. */
#include <klee/klee.h>

static unsigned char in[4];
static char large[4], other[4], small[1];
static char *table[2];
static int count;

static void once(int second) {
  if (second) {
    if (in[1])
      table[1] = small;
    else
      table[1] = other;
  } else {
    if (in[1])
      table[1] = other;
    else
      table[1] = small;
  }
  table[0] = large;
  if (in[2])
    count = 1;
  else
    count = 2;
  if (second)
    table[in[3] & 1][1] = 1;
  else
    table[in[3] & 1][1] = 1;
}

int main(void) {
  klee_make_symbolic(in, sizeof in, "in");
  once(in[0]);
  return 0;
}
