/* Fails at lines 14 and 26: a text is shorter on one of the paths, and its length is asked for. */
#include <klee/klee.h>
#include <string.h>

static unsigned char in[4];
static char first[8] = "abc", second[8] = "abc";

int main(void) {
  klee_make_symbolic(in, sizeof in, "in");
  if (in[0])
    first[1] = 0;
  if (in[1]) {
    if (strlen(first) == 1)
      klee_abort();
  } else {
    if (strlen(first) == 2)
      klee_abort();
  }
  if (!in[2])
    second[1] = 0;
  if (in[3]) {
    if (strlen(second) == 2)
      klee_abort();
  } else {
    if (strlen(second) == 1)
      klee_abort();
  }
  return 0;
}
