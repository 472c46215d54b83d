// A chosen pointer that is no block is an invalid pointer, as a number is.
// expect: bug free line 9 "memory error: invalid pointer: free"
// expect: exits 2
#include <klee/klee.h>
#include <stdlib.h>
int main(void) {
  char *a[3] = {malloc(4), (char *)0xdeadbeef, 0};
  unsigned i = klee_range(0, 3, "i");
  free(a[i]);
  return 0;
}
