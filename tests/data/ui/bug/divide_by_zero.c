// expect: bug div line 6 "divide by zero"
// expect: exits 1
#include <klee/klee.h>
int main(void) {
  int x = klee_int("x");
  return (100 / x) > 1000;
}
