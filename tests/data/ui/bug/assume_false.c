// expect: bug user line 7 "invalid klee_assume call (provably false)"
// expect: exits 0
#include <klee/klee.h>
int main(void) {
  int x = klee_int("x");
  klee_assume(x > 10);
  klee_assume(x < 5);
  return 0;
}
