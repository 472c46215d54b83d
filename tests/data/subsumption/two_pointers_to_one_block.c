/* Fails at lines 29 and 31: two pointers lead to two blocks on some paths, and to one on
   others. */
#include <klee/klee.h>
#include <stdlib.h>

static unsigned char in[5];
static int count;

static void once(int second) {
  int *first = malloc(sizeof *first), *block = malloc(sizeof *block), *last;
  if (second) {
    if (in[1])
      last = first;
    else
      last = block;
  } else {
    if (in[1])
      last = block;
    else
      last = first;
  }
  if (in[2])
    count = 1;
  else
    count = 2;
  *first = 1;
  *last = 2;
  if (second)
    klee_assert(*first == 1);
  else
    klee_assert(*first == 1);
}

int main(void) {
  klee_make_symbolic(in, sizeof in, "in");
  once(in[0]);
  return 0;
}
