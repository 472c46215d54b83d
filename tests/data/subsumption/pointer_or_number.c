/* Fails at lines 27 and 29: a variable is a pointer on some paths, and a number on others. */
#include <klee/klee.h>
#include <stdlib.h>

static unsigned char in[5];
static int count;

static void once(int second) {
  char *block = malloc(8);
  unsigned long either;
  if (second) {
    if (in[1])
      either = (unsigned long)block;
    else
      either = 5;
  } else {
    if (in[1])
      either = 5;
    else
      either = (unsigned long)block;
  }
  if (in[2])
    count = 1;
  else
    count = 2;
  if (second)
    klee_assert(either * 3 == 15);
  else
    klee_assert(either * 3 == 15);
}

int main(void) {
  klee_make_symbolic(in, sizeof in, "in");
  once(in[0]);
  return 0;
}
