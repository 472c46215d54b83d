// A value is given, and the path stays open for the others.
// expect: exits 2
// expect: statuses 1 2
// level: -O0
#include <klee/klee.h>
int main(void) {
  int x = klee_range(10, 20, "x");
  long v = klee_get_valuel(x);
  klee_assert(v >= 10 && v < 20 && !klee_is_symbolic(v));
  int32_t w = klee_get_value_i32(x);
  int64_t q = klee_get_value_i64((int64_t)x << 40);
  klee_assert(w >= 10 && (q >> 40) >= 10);
  klee_assert(klee_get_valued(2.5) == 2.5 && klee_get_valuef(1.5f) == 1.5f);
  klee_assert(klee_get_valuell(3) == 3);
  if (x == 15) return 1;
  return 2;
}
