// A path ends once for each exit status that it may have.
// expect: exits 7
// expect: statuses 0 1 2 3 4 7
// level: -O1
#include <klee/klee.h>
#include <stdlib.h>
int main(void) {
  unsigned char x;
  klee_make_symbolic(&x, sizeof x, "x");
  if (x < 100) exit(x % 5);
  return (x & 1) * 7;
}
