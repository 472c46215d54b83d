// expect: bug ptr line 7 "memory error: out of bound pointer"
// expect: exits 1
#include <klee/klee.h>
int main(void) {
  int a[8] = {0}, b[8] = {0};
  int i = klee_range(-1, 9, "i");
  a[i] = 1;
  klee_assert(b[0] == 0);
  return 0;
}
