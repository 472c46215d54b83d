// Sizes above the bound are a path of their own.
// expect: exits 2
// expect: statuses 0 1
// level: -O0
#include <klee/klee.h>
#include <stdlib.h>
int main(void) {
  unsigned n = klee_range(60000, 70000, "n");
  char *p = malloc(n);
  p[59999] = 1;
  if (n <= 65536) return 0;
  p[65536] = 1;
  return 1;
}
