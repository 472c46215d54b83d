// A symbolic index into an object of symbolic size.
// expect: bug ptr line 9 "memory error: out of bound pointer"
// expect: exits 1
#include <klee/klee.h>
#include <stdlib.h>
int main(void) {
  unsigned n = klee_range(1, 20, "n"), i = klee_range(0, 21, "i");
  char *p = malloc(n);
  p[i] = 1;
  klee_assert(i < n);
  return 0;
}
