// klee_make_symbolic needs a number: the largest size is taken.
// expect: exits 1
// expect: objects n:4 p:63
// level: -O0
#include <klee/klee.h>
#include <stdlib.h>
int main(void) {
  unsigned n = klee_range(0, 64, "n");
  char *p = malloc(n);
  klee_make_symbolic(p, n, "p");
  klee_assert(n == 63);
  return 0;
}
