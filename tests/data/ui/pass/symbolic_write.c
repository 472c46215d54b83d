// A write at a symbolic index changes the one element.
// expect: exits 1
#include <klee/klee.h>
int main(void) {
  int a[8] = {0};
  unsigned i = klee_range(0, 8, "i");
  a[i] = 5;
  klee_assert(a[i] == 5);
  int sum = 0;
  for (int j = 0; j < 8; j++) sum += a[j];
  klee_assert(sum == 5);
  return 0;
}
