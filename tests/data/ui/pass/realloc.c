// realloc keeps what fits and moves; null and 0 are malloc and free.
// expect: exits 1
// level: -O0
#include <klee/klee.h>
#include <stdlib.h>
int main(void) {
  char *p = realloc(0, 4);
  for (int i = 0; i < 4; i++) p[i] = 'a' + i;
  p = realloc(p, 1000);
  klee_assert(p[0] == 'a' && p[3] == 'd' && klee_get_obj_size(p) == 1000);
  p[999] = 'z';
  p = realloc(p, 2);
  klee_assert(p[1] == 'b' && klee_get_obj_size(p) == 2);
  klee_assert(realloc(p, 0) == 0);
  int *a = reallocarray(0, 10, sizeof(int));
  klee_assert(klee_get_obj_size(a) == 40);
  klee_assert(reallocarray(a, (size_t)-1, 16) == 0);
  a[9] = 1;
  free(a);
  return 0;
}
