// expect: exits 3
// expect: statuses 0 1 5
// level: -O0
#include <klee/klee.h>
#include <setjmp.h>
static jmp_buf place;
static int pick(int v) {
  if (v == 5) return 5;
  return 0;
}
static void deep(int n) {
  int local[3] = {n, n, n};
  if (n == 0) longjmp(place, pick(klee_range(4, 6, "v")));
  deep(n - 1);
  klee_assert(local[0] == n);
}
int main(void) {
  int x = klee_int("x");
  int r = setjmp(place);
  if (r) return r;
  if (x) deep(4);
  return 0;
}
