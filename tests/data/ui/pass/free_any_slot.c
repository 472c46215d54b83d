// free of a pointer that may be null, a block of no bytes or an ordinary one.
// expect: exits 5
// expect: statuses 0 1
// level: -O0
#include <klee/klee.h>
#include <stdlib.h>
int main(void) {
  void *slot[4] = {malloc(0), malloc(8), 0, malloc(1)};
  unsigned char which;
  klee_make_symbolic(&which, sizeof which, "which");
  if (which > 3) {
    for (int i = 0; i < 4; i++) free(slot[i]);
    return 1;
  }
  free(slot[which]);
  slot[which] = 0;
  for (int i = 0; i < 4; i++) free(slot[i]);
  return 0;
}
