// x87's long double.
// expect: exits 3
// expect: statuses 0 1 2
// level: -O0
#include <klee/klee.h>
int main(void) {
  short s;
  klee_make_symbolic(&s, sizeof s, "s");
  long double x = s;
  x = x / 4 + 0.5L;
  if (x == 100.25L) return 0;
  if (x > 8000) return 1;
  return 2;
}
