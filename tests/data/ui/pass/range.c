// klee_range is half open; an interval of one value makes no object.
// expect: exits 4
// expect: statuses 0 1 2 3
// expect: objects r:4 s:4
// level: -O0
#include <klee/klee.h>
int main(void) {
  int r = klee_range(0, 3, "r");
  int s = klee_range(-5, -3, "s");
  int one = klee_range(7, 8, "one");
  klee_assert(one == 7 && !klee_is_symbolic(one));
  klee_assert((s == -5) | (s == -4));
  if (r == 0) return 0;
  if (r == 1) {
    if (s == -5) return 1;
    return 3;
  }
  return 2;
}
