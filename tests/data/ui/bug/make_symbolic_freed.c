// expect: bug ptr line 8 "memory error: use after free"
// expect: exits 0
#include <klee/klee.h>
#include <stdlib.h>
int main(void) {
  char *p = malloc(4);
  free(p);
  klee_make_symbolic(p, 4, "p");
  return 0;
}
