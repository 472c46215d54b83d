// Both of the two callers that pass null are seen; the line is the faulty instruction's.
// expect: bug ptr line 5 "memory error: null page access"
// expect: exits 2
#include <klee/klee.h>
static int get(const int *p) { return *p; }
int main(void) {
  int x = klee_range(0, 3, "x");
  int y = 4;
  if (x == 0) return get(&y);
  if (x == 1) return get(&x);
  return get(0);
}
