// expect: bug ptr line 6 "memory error: invalid pointer: make_symbolic"
// expect: exits 0
#include <klee/klee.h>
int main(void) {
  char a[4];
  klee_make_symbolic(a + 1, 3, "a");
  return 0;
}
