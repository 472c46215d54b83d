// A size stays symbolic up to a bound; too large a size gives null on a path of its own.
// expect: exits 2
// expect: statuses 0 7
// level: -O0
#include <klee/klee.h>
#include <stdlib.h>
int main(void) {
  size_t n;
  klee_make_symbolic(&n, sizeof n, "n");
  klee_assume(((n > 0) & (n <= 1000)) | (n > (size_t)1 << 40));
  char *p = malloc(n);
  if (!p) {
    klee_assert(n > 1000);
    return 7;
  }
  p[n - 1] = 1;
  p[0] = 1;
  klee_assert(klee_get_obj_size(p) == n);
  klee_assert(klee_is_symbolic(n));
  free(p);
  return 0;
}
