// expect: exits 2
// expect: statuses 0 1
// level: -O0
#include <klee/klee.h>
#include <string.h>
int main(void) {
  char a[5], b[8];
  klee_make_symbolic(a, 5, "a");
  memset(b, 0, 8);
  memcpy(b + 2, a, 5);
  klee_assert(!klee_is_symbolic(b[1]) && klee_is_symbolic(b[2]) && klee_is_symbolic(b[6]));
  memmove(b, b + 2, 5);
  if (b[4] == 'q') return 1;
  return 0;
}
