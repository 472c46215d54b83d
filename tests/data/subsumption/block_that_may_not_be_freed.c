/* Fails at lines 27 and 29: a block is made one that may not be freed on some paths. */
#include <klee/klee.h>
#include <stdlib.h>

static unsigned char in[5];
static int count;

static void once(int second) {
  char *block = malloc(8);
  if (second) {
    if (in[1])
      klee_mark_global(block);
    else
      count = 1;
  } else {
    if (in[1])
      count = 1;
    else
      klee_mark_global(block);
  }
  if (in[2])
    count = 1;
  else
    count = 2;
  block[0] = 1;
  if (second)
    free(block);
  else
    free(block);
}

int main(void) {
  klee_make_symbolic(in, sizeof in, "in");
  once(in[0]);
  return 0;
}
