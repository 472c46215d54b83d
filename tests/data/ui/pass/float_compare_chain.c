// A chain of comparisons of a symbolic double: each interval has its path, and none is lost at its ends.
// expect: exits 6
// expect: statuses 0 1 2 3 4 5
// level: -O0
#include <klee/klee.h>
int main(void) {
  double x;
  klee_make_symbolic(&x, sizeof x, "x");
  if (x < -1e300) return 0;
  if (x <= -0.0) return 1;
  if (x < 5e-324) {
    klee_assert(0);
  }
  if (x == 0.1) return 2;
  if (x > 1e300) return 3;
  if (x > 0) return 4;
  klee_assert(x != x);
  return 5;
}
