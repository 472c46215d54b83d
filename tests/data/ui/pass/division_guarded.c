// expect: exits 2
// level: -O0
#include <klee/klee.h>
int main(void) {
  unsigned char x;
  klee_make_symbolic(&x, 1, "x");
  if (x == 0) return 1;
  return (100 / x + 100 % x) < 0;
}
