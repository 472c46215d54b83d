// expect: exits 2
// level: -O0
#include <assert.h>
#include <klee/klee.h>
int main(void) {
  int x = klee_range(0, 100, "x");
  assert(x * 2 < 200);
  assert(x >= 0);
  if (x > 50) return 1;
  return 0;
}
