// A missing name is "unnamed".
// expect: exits 1
// expect: objects unnamed:2 unnamed:2
#include <klee/klee.h>
int main(void) {
  short a, b;
  klee_make_symbolic(&a, sizeof a, 0);
  klee_make_symbolic(&b, sizeof b, "");
  return 0;
}
