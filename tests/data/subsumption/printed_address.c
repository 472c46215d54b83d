/* Fails at lines 32 and 34: what an address is in digits tells how many blocks there were before. */
#include <klee/klee.h>
#include <stdlib.h>
#include <stdio.h>

static unsigned char in[5];
static int count;

static void once(int second) {
  if (second) {
    if (in[1])
      malloc(8);
    else
      count = 1;
  } else {
    if (in[1])
      count = 1;
    else
      malloc(8);
  }
  char *block = malloc(8);
  if (in[2])
    count = 1;
  else
    count = 2;
  char text[24];
  int sum = 0;
  snprintf(text, sizeof text, "%p", (void *)block);
  for (char *at = text; *at; at++)
    sum += *at;
  if (second)
    klee_assert(sum % 3 != 1);
  else
    klee_assert(sum % 3 != 1);
}

int main(void) {
  klee_make_symbolic(in, sizeof in, "in");
  once(in[0]);
  return 0;
}
