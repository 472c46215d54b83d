// expect: exits 1
#include <klee/klee.h>
#include <string.h>
static volatile unsigned long n = 5;
int main(void) {
  char a[600], b[600];
  for (int i = 0; i < 600; i++) a[i] = (char)i;
  klee_assert(memcpy(b, a, 600) == b && memcmp(a, b, 600) == 0);
  klee_assert(memmove(b + 1, b, 599) == b + 1 && b[0] == 0 && b[1] == 0 && b[599] == (char)598);
  memmove(b, b + 1, 599);
  klee_assert(memcmp(a, b, 599) == 0);
  klee_assert(memset(b, 'x', 300) == b && b[299] == 'x' && b[300] == (char)300);
  memset(b, 0, n);
  klee_assert(b[4] == 0 && b[5] == 'x');
  klee_assert(memcmp(a, b, 6) != 0);
  return 0;
}
