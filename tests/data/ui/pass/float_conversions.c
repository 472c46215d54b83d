// Conversions between integers and doubles, x86's results out of range included.
// uses: undefined values (a conversion out of range is one with --checks undef)
// expect: exits 4
// expect: statuses 0 1 2 3
// level: -O0
#include <klee/klee.h>
int main(void) {
  double x;
  int i;
  klee_make_symbolic(&x, sizeof x, "x");
  klee_make_symbolic(&i, sizeof i, "i");
  klee_assert((int)(double)i == i);
  int n = x;
  if (n == -2147483647 - 1) {
    klee_assert(!((x > -2147483648.0) & (x < 2147483648.0)));
    return 0;
  }
  if (n == 1000) {
    klee_assert(x >= 1000 && x < 1001);
    return 1;
  }
  if (x == n) return 2;
  return 3;
}
