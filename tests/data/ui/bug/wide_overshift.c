// expect: bug overshift line 10 "overshift error"
// expect: exits 1
// A shift by too much of a number that is wider than the machine's.
#include "klee/klee.h"

int main(void) {
  unsigned short n;
  klee_make_symbolic(&n, sizeof n, "n");
  unsigned _BitInt(200) x = 1;
  x <<= n;
  return n < 200 ? 0 : 1;
}
