// realloc keeps the contents; both sizes may be symbolic, and 0 frees.
// expect: exits 3
// expect: statuses 0 1 2
// level: -O0
#include <klee/klee.h>
#include <stdlib.h>
int main(void) {
  unsigned n = klee_range(2, 100, "n"), m = klee_range(0, 300, "m");
  char *p = malloc(n);
  p[1] = 7;
  char *q = realloc(p, m);
  if (!q) {
    klee_assert(m == 0);
    return 1;
  }
  if (m < 2) return 2;
  klee_assert(q[1] == 7);
  return 0;
}
