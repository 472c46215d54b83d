// realloc to a smaller symbolic size.
// expect: bug ptr line 11 "memory error: out of bound pointer"
// expect: exits 1
#include <klee/klee.h>
#include <stdlib.h>
int main(void) {
  unsigned n = klee_range(1, 20, "n");
  char *p = malloc(10);
  p[9] = 1;
  p = realloc(p, n);
  klee_assert(p[9] == 1);
  return 0;
}
