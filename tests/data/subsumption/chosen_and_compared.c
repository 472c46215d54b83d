/* Fails at lines 29 and 31: a pointer that the input chooses is compared with one that paths choose. */
#include <klee/klee.h>
#include <stdlib.h>

static unsigned char in[5];
static int count;

static void once(int second) {
  char *first = malloc(4), *block = malloc(4), *third = malloc(4);
  char *table[2], *to, *with;
  table[0] = first, table[1] = block;
  to = table[in[3] & 1];
  if (second) {
    if (in[1])
      with = third;
    else
      with = first;
  } else {
    if (in[1])
      with = first;
    else
      with = third;
  }
  if (in[2])
    count = 1;
  else
    count = 2;
  if (second)
    klee_assert(to != with);
  else
    klee_assert(to != with);
}

int main(void) {
  klee_make_symbolic(in, sizeof in, "in");
  once(in[0]);
  return 0;
}
