// expect: bug ptr line 7 "memory error: out of bound pointer"
// expect: exits 3
// expect: statuses 0 1
#include <klee/klee.h>
int main(void) {
  unsigned n; unsigned char room[600] = {0}; klee_make_symbolic(&n, sizeof n, "n");
  __builtin_memset(room, 1, n);
  if (room[599]) return 1;
  return 0;
}
