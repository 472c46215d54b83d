// A write at the symbolic size itself: wrong for every size.
// expect: bug ptr line 8 "memory error: out of bound pointer"
#include <klee/klee.h>
#include <stdlib.h>
int main(void) {
  unsigned n = klee_range(1, 20, "n");
  char *p = malloc(n);
  p[n] = 0;
  return 0;
}
