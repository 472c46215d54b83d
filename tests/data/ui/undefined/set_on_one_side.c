// expect: bug undef line 16 "branch on an undefined value"
// expect: exits 3
// expect: statuses 1 3 4
// level: -O0
// A local that only some paths set. The fixed value (0xab bytes) is not 0.
#include "klee/klee.h"

int main(void) {
  char c;
  int x;
  klee_make_symbolic(&c, 1, "c");
  if (c == 'a')
    x = 0;
  if (c == 'b')
    x = 1;
  if (x)
    return c == 'b' ? 3 : 1;
  return 4;
}
