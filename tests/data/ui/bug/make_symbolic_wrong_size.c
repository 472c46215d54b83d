// expect: bug user line 6 "Wrong size given to klee_make_symbolic"
// expect: exits 0
#include <klee/klee.h>
int main(void) {
  char a[4];
  klee_make_symbolic(a, 3, "a");
  return 0;
}
