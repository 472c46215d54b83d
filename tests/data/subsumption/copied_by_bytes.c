/* Fails at lines 29 and 31: a pointer is copied byte by byte, from one of two. */
#include <klee/klee.h>
#include <stdlib.h>

static unsigned char in[5];
static int count;

static void once(int second) {
  int *first = malloc(sizeof *first), *block = malloc(2 * sizeof *block);
  int *from, *to;
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
  for (unsigned i = 0; i < sizeof from; i++)
    ((char *)&to)[i] = ((char *)&from)[i];
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
