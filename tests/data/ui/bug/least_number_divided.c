// The least number and -1: the processor traps, though the divisor is not zero.
// expect: bug overflow line 8 "integer division overflow"
// expect: statuses 0 1 5
#include <klee/klee.h>
int main(void) {
  int left, right; klee_make_symbolic(&left, sizeof left, "left"); klee_make_symbolic(&right, sizeof right, "right");
  if (right == 0) return 5;
  int result = left / right;
  if (result == 7) return 1;
  return 0;
}
