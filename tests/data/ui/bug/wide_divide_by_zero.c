// expect: bug div line 10 "divide by zero"
// expect: exits 1
// A division by zero of numbers that are wider than the machine's.
#include "klee/klee.h"

int main(void) {
  unsigned char n;
  klee_make_symbolic(&n, sizeof n, "n");
  unsigned _BitInt(200) x = ((unsigned _BitInt(200))1 << 180) - 1, y = (unsigned _BitInt(200))(n >> 7) << 100;
  x = x / y;
  return (x >> 80) == 0;
}
