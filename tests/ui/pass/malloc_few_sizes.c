// A size with few possible values forks over them.
// expect: exits 3
// expect: statuses 4 5 6
// level: -O0
#include <klee/klee.h>
#include <stdlib.h>
int main(void) {
  unsigned n = klee_range(4, 7, "n");
  char *p = malloc(n);
  return klee_get_obj_size(p);
}
