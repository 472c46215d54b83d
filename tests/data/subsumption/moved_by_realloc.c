/* Fails at lines 28 and 30: a block was made larger on some paths, and a pointer to its old place
   kept. */
#include <klee/klee.h>
#include <stdlib.h>

static unsigned char in[5];
static int count;

static void once(int second) {
  int *block = malloc(sizeof *block), *old = block;
  if (second) {
    if (in[1])
      old = block = realloc(block, 2 * sizeof *block);
    else
      block = realloc(block, 2 * sizeof *block);
  } else {
    if (in[1])
      block = realloc(block, 2 * sizeof *block);
    else
      old = block = realloc(block, 2 * sizeof *block);
  }
  if (in[2])
    count = 1;
  else
    count = 2;
  block[1] = 1;
  if (second)
    old[0] = 1;
  else
    old[0] = 1;
}

int main(void) {
  klee_make_symbolic(in, sizeof in, "in");
  once(in[0]);
  return 0;
}
