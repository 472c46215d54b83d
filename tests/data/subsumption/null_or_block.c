/* Fails at lines 28 and 30: a pointer is null on some paths. */
#include <klee/klee.h>
#include <stdlib.h>

static unsigned char in[5];
static int count;

static void once(int second) {
  char *block = malloc(4), *to;
  if (second) {
    if (in[1])
      to = block;
    else
      to = 0;
  } else {
    if (in[1])
      to = 0;
    else
      to = block;
  }
  if (in[2])
    count = 1;
  else
    count = 2;
  if (in[3])
    count = 3;
  if (second)
    *to = 1;
  else
    *to = 1;
}

int main(void) {
  klee_make_symbolic(in, sizeof in, "in");
  once(in[0]);
  return 0;
}
