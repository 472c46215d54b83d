// klee_make_symbolic needs a number: each size is taken.
// expect: exits 64
// expect: statuses 0 1
// level: -O0
#include <klee/klee.h>
#include <stdlib.h>
int main(void) {
  unsigned n = klee_range(0, 64, "n");
  char *p = malloc(n);
  klee_make_symbolic(p, n, "p");
  if (n == 63) return 1;
  return 0;
}
