// expect: unsupported "call of undefined function nowhere"
// expect: exits 1
#include <klee/klee.h>
int nowhere(int);
int main(void) {
  int x = klee_int("x");
  if (x == 1) return nowhere(x);
  return 0;
}
