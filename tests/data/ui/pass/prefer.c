// Wishes never exclude a path.
// expect: exits 2
// expect: statuses 0 1
// level: -O0
#include <klee/klee.h>
int main(void) {
  int x = klee_int("x");
  klee_prefer_cex(&x, x == 3);
  klee_posix_prefer_cex(&x, x == 4);
  if (x == 5) return 1;
  return 0;
}
