/* Fails at lines 31 and 33: one of two blocks is freed, and the other one used, or not. */
#include <klee/klee.h>
#include <stdlib.h>

static unsigned char in[5];
static int count;

static void once(int second) {
  char *first = malloc(8), *last = malloc(8), *gone, *kept;
  if (second) {
    if (in[1])
      gone = first, kept = last;
    else
      gone = first, kept = first;
  } else {
    if (in[1])
      gone = last, kept = last;
    else
      gone = last, kept = first;
  }
  if (in[2])
    count = 1;
  else
    count = 2;
  free(gone);
  if (in[3])
    count = 1;
  else
    count = 2;
  if (second)
    kept[0] = 1;
  else
    kept[0] = 1;
}

int main(void) {
  klee_make_symbolic(in, sizeof in, "in");
  once(in[0]);
  return 0;
}
