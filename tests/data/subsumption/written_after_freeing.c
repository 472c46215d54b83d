/* Fails at lines 24 and 26: a block is only written, and was freed on one of the paths. */
#include <klee/klee.h>
#include <stdlib.h>

static unsigned char in[4];
static int count;

static void once(int second) {
  char *block = malloc(8);
  if (second) {
    if (in[1])
      free(block);
    else
      count = 1;
  } else {
    if (in[1])
      count = 1;
    else
      free(block);
  }
  if (!in[2])
    return;
  if (second)
    block[0] = 1;
  else
    block[0] = 1;
}

int main(void) {
  klee_make_symbolic(in, sizeof in, "in");
  once(in[0]);
  return 0;
}
