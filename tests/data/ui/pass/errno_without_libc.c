// expect: exits 1
#include <errno.h>
#include <klee/klee.h>
int main(void) {
  klee_assert(errno == 0);
  errno = 5;
  klee_assert(errno == 5 && klee_get_errno() == 5);
  return 0;
}
