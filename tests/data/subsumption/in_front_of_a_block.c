/* Fails at lines 28 and 30: a pointer goes behind its block, to where another one may be. */
#include <klee/klee.h>
#include <stdlib.h>

static unsigned char in[5];
static int count;

static void once(int second) {
  char *first = malloc(8), *last = malloc(8), *from;
  long distance = last - first;
  if (second) {
    if (in[1])
      from = first;
    else
      from = last;
  } else {
    if (in[1])
      from = last;
    else
      from = first;
  }
  if (in[2])
    count = 1;
  else
    count = 2;
  char *to = from + distance;
  if (second)
    to[0] = 1;
  else
    to[0] = 1;
}

int main(void) {
  klee_make_symbolic(in, sizeof in, "in");
  once(in[0]);
  return 0;
}
