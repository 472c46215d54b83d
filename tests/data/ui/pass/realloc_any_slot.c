// realloc of a pointer that may be null, a block of no bytes or an ordinary one.
// expect: exits 3
// expect: statuses 1 2 3
// level: -O0
#include <klee/klee.h>
#include <stdlib.h>
int main(void) {
  char *slot[3] = {malloc(0), malloc(8), 0};
  slot[1][0] = 5;
  unsigned char which;
  klee_make_symbolic(&which, sizeof which, "which");
  klee_assume(which < 3);
  char *p = realloc(slot[which], 20);
  p[19] = 1;
  if (which == 1) return p[0] == 5 ? 1 : 90;
  return which ? 2 : 3;
}
