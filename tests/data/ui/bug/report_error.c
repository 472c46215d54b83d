// The suffix names the kind.
// expect: bug my line 6 "something is wrong"
// expect: exits 1
#include <klee/klee.h>
int main(void) {
  if (klee_int("x") == 3) klee_report_error(__FILE__, __LINE__, "something is wrong", "my.err");
  return 0;
}
