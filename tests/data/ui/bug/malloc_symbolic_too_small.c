// A constant index is in bounds for some sizes only.
// expect: bug ptr line 9 "memory error: out of bound pointer"
// expect: exits 1
#include <klee/klee.h>
#include <stdlib.h>
int main(void) {
  unsigned n = klee_range(1, 20, "n");
  char *p = malloc(n);
  p[12] = 1;
  klee_assert(n > 12);
  p[5] = 1;
  return 0;
}
