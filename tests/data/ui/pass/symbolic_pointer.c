// A pointer into one of several objects forks over the objects at most.
// expect: statuses 1 2 3
// level: -O0
#include <klee/klee.h>
static int one = 1, two = 2, three[2] = {9, 3};
int main(void) {
  int x = klee_int("x");
  int *p = x == 5 ? &one : x == 6 ? &two : &three[1];
  return *p;
}
