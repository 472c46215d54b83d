// expect: exits 1
// level: -O0
#include <errno.h>
#include <klee/klee.h>
#include <malloc.h>
#include <stdint.h>
#include <stdlib.h>
int main(void) {
  void *p = 0;
  klee_assert((uintptr_t)malloc(1) % 16 == 0);
  klee_assert((uintptr_t)memalign(256, 10) % 256 == 0);
  klee_assert((uintptr_t)aligned_alloc(4096, 8192) % 4096 == 0);
  klee_assert(posix_memalign(&p, 1 << 20, 3) == 0 && (uintptr_t)p % (1 << 20) == 0);
  klee_assert(malloc_usable_size(p) == 3);
  klee_assert(posix_memalign(&p, 24, 3) == EINVAL);
  free(p);
  return 0;
}
