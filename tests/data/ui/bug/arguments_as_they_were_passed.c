// What a report says of arguments is what was passed, also after their last use and after assignments to them.
// expect: bug ptr line 11 "memory error: null page access"
// expect: stack "read(p=0, distance=300)"
// expect: stack "middle(first=7, second=symbolic)"
// expect: exits 1
#include <klee/klee.h>
static int sum;
static int read(const int *p, int distance) {
  distance *= 2;
  sum += distance;
  return *p;
}
static int middle(int first, int second) {
  first = second + first * 3;
  if (first == 24) return read(0, 300);
  return first;
}
int main(void) {
  return middle(7, klee_range(0, 10, "x")) == 24 ? 1 : 0;
}
