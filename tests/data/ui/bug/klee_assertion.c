// expect: bug assert line 6 "ASSERTION FAIL: x < 100"
// expect: exits 1
#include <klee/klee.h>
int main(void) {
  int x = klee_int("x");
  klee_assert(x < 100);
  return 0;
}
