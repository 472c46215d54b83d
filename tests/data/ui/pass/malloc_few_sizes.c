// A size with few possible values stays symbolic, too: what the program does with it forks.
// expect: exits 2
// expect: statuses 0 1
// level: -O0
#include <klee/klee.h>
#include <stdlib.h>
int main(void) {
  unsigned n = klee_range(4, 7, "n");
  char *p = malloc(n);
  for (unsigned i = 0; i < 4; i++) p[i] = i;
  klee_assert(p[3] == 3);
  if (klee_get_obj_size(p) == 5) return 1;
  return 0;
}
