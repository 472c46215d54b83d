// expect: bug div line 6 "divide by zero"
// expect: exits 1
#include <klee/klee.h>
int main(void) {
  unsigned char x = klee_int("x");
  return (100u % x) > 1000;
}
