// expect: exits 1
// expect: warning "main: careful"
// expect: warning "main: once"
// expect: stdout "main"
#include <klee/klee.h>
int main(void) {
  klee_warning("careful");
  klee_warning_once("once");
  klee_warning_once("once");
  klee_stack_trace();
  return 0;
}
