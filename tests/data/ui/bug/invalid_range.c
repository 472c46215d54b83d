// expect: bug user line 5 "invalid range"
// expect: exits 0
#include <klee/klee.h>
int main(void) {
  return klee_range(5, 5, "x");
}
