// A loop over an object of symbolic size: one path per size, none of them a bug.
// expect: exits 7
// expect: statuses 0 1 3 6 10 15
// level: -O0
#include <klee/klee.h>
#include <stdlib.h>
int main(void) {
  unsigned n = klee_range(0, 7, "n");
  int *p = calloc(n, sizeof *p);
  for (unsigned i = 0; i < n; i++) p[i] += i;
  int sum = 0;
  for (unsigned i = 0; i < n; i++) sum += p[i];
  return sum;
}
