// A read of four bytes at the end of an object whose size is not a multiple of four.
// expect: bug ptr line 9 "memory error: out of bound pointer"
// expect: exits 1
#include <klee/klee.h>
#include <stdlib.h>
int main(void) {
  unsigned n = klee_range(8, 13, "n");
  int *p = calloc(n, 1);
  int x = p[2];
  klee_assert(x == 0);
  return 0;
}
