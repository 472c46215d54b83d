// expect: bug unreachable line 5 "reached \"unreachable\" instruction"
// expect: exits 1
#include <klee/klee.h>
int main(void) {
  if (klee_int("x") == 3) __builtin_unreachable();
  return 0;
}
