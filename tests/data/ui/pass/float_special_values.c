// NaN and infinities made by arithmetic.
// expect: exits 4
// expect: statuses 0 1 2 3
// level: -O0
#include <klee/klee.h>
int main(void) {
  float x;
  klee_make_symbolic(&x, sizeof x, "x");
  float y = 1 / x;
  if (y != y) return 0;
  if (y - y != 0) {
    klee_assert(x - x == 0);
    return 1;
  }
  if (y == 0) {
    klee_assert(x + x == x);
    return 2;
  }
  return 3;
}
