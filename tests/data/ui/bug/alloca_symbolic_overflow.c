// An array of symbolic length is one element too short.
// expect: bug ptr line 8 "memory error: out of bound pointer"
// expect: exits 1
#include <klee/klee.h>
int main(void) {
  unsigned n = klee_range(1, 8, "n");
  int a[n];
  a[6] = 1;
  klee_assert(n == 7);
  return 0;
}
