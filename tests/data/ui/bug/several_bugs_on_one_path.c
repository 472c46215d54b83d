// A check that may fail is reported, and the path goes on where it does not.
// expect: bug div line 8 "divide by zero"
// expect: bug overshift line 9 "overshift error"
// expect: bug assert line 10 "ASSERTION FAIL: x != 5"
// expect: exits 1
#include <klee/klee.h>
int main(void) { int x = klee_int("x");
  int a = 10 / x;
  int b = 1 << (x & 63);
  klee_assert(x != 5);
  return (a ^ b) == -99 && 0;
}
