// expect: bug user line 5 "klee_set_forking requires a constant arg"
// expect: exits 0
#include <klee/klee.h>
int main(void) {
  klee_set_forking(klee_int("x"));
  return 0;
}
