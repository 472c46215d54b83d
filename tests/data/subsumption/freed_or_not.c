/* Fails at lines 26, 27, 28 and 29: a block that is written was freed on some paths, and what else
   fails can be seen on the others. */
#include <klee/klee.h>
#include <stdlib.h>

static unsigned char in[5];
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
  if (in[2])
    count = 1;
  else
    count = 2;
  if (second) block[0] = 1;
  else block[0] = 1;
  if (second) klee_assert(in[3] != 7);
  else klee_assert(in[3] != 7);
}

int main(void) {
  klee_make_symbolic(in, sizeof in, "in");
  once(in[0]);
  return 0;
}
