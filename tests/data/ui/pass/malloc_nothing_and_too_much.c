// Objects of no size are distinct; requests that cannot be met give null.
// expect: exits 1
// level: -O0
#include <klee/klee.h>
#include <stdlib.h>
int main(void) {
  char *a = malloc(0), *b = malloc(0);
  klee_assert(a && b && a != b);
  free(a);
  free(b);
  klee_assert(malloc((size_t)-1) == 0);
  klee_assert(malloc((size_t)1 << 60) == 0);
  klee_assert(calloc((size_t)1 << 33, (size_t)1 << 33) == 0);
  return 0;
}
