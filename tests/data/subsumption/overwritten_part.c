/* Fails at lines 30 and 32: a pointer to one block becomes one to another when a byte of it changes. */
#include <klee/klee.h>
#include <stdlib.h>

static unsigned char in[5];
static int count;

static void once(int second) {
  char *first = malloc(8), *block = malloc(4);
  char *from, *to = first;
  if (second) {
    if (in[1])
      from = first;
    else
      from = block;
  } else {
    if (in[1])
      from = block;
    else
      from = first;
  }
  if (in[2])
    count = 1;
  else
    count = 2;
  ((char *)&to)[1] = ((char *)&from)[1];
  ((char *)&to)[2] = ((char *)&from)[2];
  ((char *)&to)[0] = ((char *)&from)[0];
  if (second)
    to[5] = 1;
  else
    to[5] = 1;
}

int main(void) {
  klee_make_symbolic(in, sizeof in, "in");
  once(in[0]);
  return 0;
}
