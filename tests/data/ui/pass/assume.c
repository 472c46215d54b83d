// Assumptions keep the inputs for which they hold.
// expect: exits 2
// expect: statuses 5 6
// level: -O0
#include <klee/klee.h>
int main(void) {
  unsigned x = klee_int("x");
  klee_assume(x > 4);
  klee_assume((x < 7) & (x != 100));
  klee_assume(1);
  if (x == 5) return 5;
  if (x == 6) return 6;
  return 1;
}
