// Pointers one past the end may be made and compared.
// expect: exits 1
#include <klee/klee.h>
int main(void) {
  int a[4] = {1, 2, 3, 4}, sum = 0;
  for (int *p = a, *end = a + 4; p != end; p++) sum += *p;
  klee_assert(sum == 10 && a + 4 - a == 4);
  return 0;
}
