// Printing does not constrain the path.
// expect: exits 2
// level: -O0
#include <klee/klee.h>
#include <stdio.h>
int main(void) {
  int x = klee_int("x");
  printf("%d\n", x);
  if (x == 77) return 1;
  return 0;
}
