// expect: bug ptr line 7 "memory error: out of bound pointer"
// expect: exits 1
#include <klee/klee.h>
static int a[8];
int main(void) {
  unsigned i = klee_int("i");
  return a[i];
}
