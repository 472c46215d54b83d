// Above the bound, too, some sizes are too small and others are not.
// expect: bug ptr line 12 "memory error: out of bound pointer"
// expect: exits 2
// expect: statuses 0 1
#include <klee/klee.h>
#include <stdlib.h>
int main(void) {
  unsigned n;
  klee_make_symbolic(&n, sizeof n, "n");
  klee_assume(n > 60000);
  char *p = malloc(n);
  p[99999] = 1;
  if (n == 0xffffffff) return 1;
  return 0;
}
