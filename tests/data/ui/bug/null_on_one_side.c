// expect: bug ptr line 9 "memory error: null page access"
// expect: exits 1
// expect: statuses 3
#include <klee/klee.h>
int main(void) {
  static int three = 3;
  int *p = &three;
  if (klee_int("x") == 99) p = 0;
  return *p;
}
