// expect: bug overshift line 6 "overshift error"
// expect: exits 1
#include <klee/klee.h>
int main(void) {
  unsigned x = klee_range(0, 40, "x");
  return (1u << x) == 0;
}
