// An array of variable length with a symbolic length.
// expect: exits 2
// expect: statuses 0 1
// level: -O0
// uses: undefined values
#include <klee/klee.h>
int main(void) {
  unsigned n = klee_range(1, 50, "n"), i = klee_range(0, 50, "i");
  int a[n];
  klee_assume(i < n);
  a[i] = 5;
  a[n - 1] += 0;
  if (a[0] == 5) return 1;
  return 0;
}
