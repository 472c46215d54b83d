// The roots of x^2 + bx + c: the discriminant of symbolic floats decides, a NaN has a path of its own.
// expect: exits 4
// expect: statuses 0 1 2 3
// level: -O0
#include <klee/klee.h>
int main(void) {
  float b, c;
  klee_make_symbolic(&b, sizeof b, "b");
  klee_make_symbolic(&c, sizeof c, "c");
  float d = b * b - 4 * c;
  if (d > 0) return 2;
  if (d == 0) return 1;
  if (d < 0) return 0;
  klee_assert(d != d);
  return 3;
}
