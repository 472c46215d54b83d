// A symbolic int splits a path at each condition on it.
// expect: exits 3
// expect: statuses 0 1 2
// expect: objects x:4
// level: -O0
#include <klee/klee.h>
int main(void) {
  int x;
  klee_make_symbolic(&x, sizeof x, "x");
  if (x < 0) return 0;
  if (x == 42) return 1;
  return 2;
}
