// A pointer that is input may point to each live object, or to none.
// expect: bug ptr line 8 "memory error: null page access"
// expect: statuses 0 7
#include <klee/klee.h>
static int target = 5;
int main(void) {
  int *p; klee_make_symbolic(&p, sizeof p, "p");
  int value = *p;
  if (p == &target) return value == 5 ? 7 : 90;
  return 0;
}
