// expect: bug assert line 7 "ASSERTION FAIL: x != 7"
// expect: exits 1
#include <assert.h>
#include <klee/klee.h>
int main(void) {
  int x = klee_int("x");
  assert(x != 7); return 0;
}
