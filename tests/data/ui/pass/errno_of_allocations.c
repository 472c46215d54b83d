// What fails for want of room says so in errno, and a wrong alignment does, too.
// expect: exits 1
// expect: statuses 0
#include <errno.h>
#include <klee/klee.h>
#include <malloc.h>
#include <stdint.h>
#include <stdlib.h>
int main(void) {
  volatile size_t huge = SIZE_MAX / 4;
  void *kept = malloc(3);
  klee_assert(kept);
  errno = 0;
  klee_assert(!malloc(huge) && errno == ENOMEM);
  errno = 0;
  klee_assert(!calloc(huge, 8) && errno == ENOMEM);
  errno = 0;
  klee_assert(!realloc(kept, huge) && errno == ENOMEM);
  errno = 0;
  klee_assert(!memalign(64, huge) && errno == ENOMEM);
  errno = 0;
  klee_assert(posix_memalign(&kept, 3, 8) == EINVAL && errno == 0);
  free(kept);
  return 0;
}
