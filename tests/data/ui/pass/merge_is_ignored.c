// expect: exits 2
#include <klee/klee.h>
int main(void) {
  int x = klee_int("x"), r;
  klee_open_merge();
  if (x > 3) r = 1; else r = 2;
  klee_close_merge();
  return r;
}
// level: -O0
