// Without forking a path follows one side.
// expect: exits 2
#include <klee/klee.h>
int main(void) {
  int x = klee_int("x"), y = klee_int("y"), r = 0;
  klee_set_forking(0);
  if (x > 3) r = 1;
  if (y > 3) r += 1;
  klee_set_forking(1);
  if (x == 1 + 6 * r) return r;
  return 9;
}
// level: -O0
