// expect: bug abort line 6 "abort failure"
// expect: exits 1
#include <klee/klee.h>
#include <stdlib.h>
int main(void) {
  if (klee_int("x") == 3) abort();
  return 0;
}
