// expect: bug abort line 5 "abort failure"
// expect: exits 0
#include <klee/klee.h>
int main(void) {
  klee_abort();
}
