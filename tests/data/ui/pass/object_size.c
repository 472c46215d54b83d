// expect: exits 1
#include <klee/klee.h>
#include <stdlib.h>
static int global[5];
int main(void) {
  char local[3];
  char *heap = malloc(17);
  klee_assert(klee_get_obj_size(global) == sizeof global);
  klee_assert(klee_get_obj_size(local) == 3);
  klee_assert(klee_get_obj_size(heap) == 17);
  return 0;
}
