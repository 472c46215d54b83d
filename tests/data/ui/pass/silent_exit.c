// A silent exit is no path with a test.
// expect: exits 1
// expect: statuses 4
// expect: silent 1
#include <klee/klee.h>
int main(void) {
  int x = klee_int("x");
  if (x == 1) klee_silent_exit(0);
  return 4;
}
