// expect: bug free line 9 "double free"
// expect: exits 1
#include <klee/klee.h>
#include <stdlib.h>
int main(void) {
  void *p = malloc(8);
  int x = klee_int("x");
  if (x > 5) free(p);
  free(p);
  return 0;
}
