/* Fails at lines 34 and 36: structures hold pointers to one block or to two, and are compared
   byte by byte. */
#include <klee/klee.h>
#include <stdlib.h>
#include <string.h>

static unsigned char in[5];
static int count;

struct holder {
  long number;
  int *block;
};

static void once(int second) {
  int *first = malloc(sizeof *first), *block = malloc(sizeof *block);
  struct holder one = {1, first}, two = {1, block};
  if (second) {
    if (in[1])
      two.block = first;
    else
      two.block = block;
  } else {
    if (in[1])
      two.block = block;
    else
      two.block = first;
  }
  if (in[2])
    count = 1;
  else
    count = 2;
  if (second)
    klee_assert(memcmp(&one, &two, sizeof one) != 0);
  else
    klee_assert(memcmp(&one, &two, sizeof one) != 0);
}

int main(void) {
  klee_make_symbolic(in, sizeof in, "in");
  once(in[0]);
  return 0;
}
