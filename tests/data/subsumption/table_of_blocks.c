/* Fails at lines 29 and 31: a table of pointers holds a smaller block on some paths, and is read at
   a symbolic place. */
#include <klee/klee.h>
#include <stdlib.h>

static unsigned char in[5];
static int count;

static void once(int second) {
  char *large = malloc(4), *other = malloc(4), *small = malloc(1);
  char *table[2];
  table[0] = large;
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
