// A word written as a whole is read in parts and put together again.
// expect: exits 2
// expect: statuses 0 1
// level: -O0
#include <klee/klee.h>
int main(void) {
  unsigned x = klee_int("x");
  unsigned char *p = (unsigned char *)&x;
  unsigned again = p[0] | p[1] << 8 | p[2] << 16 | (unsigned)p[3] << 24;
  klee_assert(again == x);
  if (p[2] == 9) return 1;
  return 0;
}
