// expect: bug undef line 13 "branch on an undefined value"
// expect: exits 5
// expect: statuses 0 1 3
// level: -O0
// A sum that may overflow decides a branch; the guarded one and the unsigned one cannot.
#include "klee/klee.h"

int main(void) {
  int a;
  unsigned short c;
  klee_make_symbolic(&a, sizeof a, "a");
  klee_make_symbolic(&c, sizeof c, "c");
  if (a + 100 < a)
    return 3;
  if (a < 1000 && a > 0 && a * 1000 - 7 < 0)
    return 2;
  if ((unsigned)a * 77u == 77u)
    return 1;
  return 0;
}
