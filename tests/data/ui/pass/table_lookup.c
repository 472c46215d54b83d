// A read at a symbolic index of a constant table does not fork.
// expect: exits 2
// expect: statuses 0 1
// level: -O0
#include <klee/klee.h>
static const int squares[10] = {0, 1, 4, 9, 16, 25, 36, 49, 64, 81};
int main(void) {
  unsigned i = klee_range(0, 10, "i");
  if (squares[i] == 49) return 1;
  return 0;
}
