// What is determined by the path's operations alone is not symbolic.
// expect: exits 1
// expect: statuses 0
#include <klee/klee.h>
int main(void) {
  int x = klee_int("x");
  klee_assert(klee_is_symbolic(x));
  klee_assert(klee_is_symbolic(x + 1));
  klee_assert(!klee_is_symbolic(7));
  klee_assert(!klee_is_symbolic(x - x));
  klee_assert(!klee_is_replay());
  return 0;
}
