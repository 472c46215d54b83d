// Fresh heap memory reads as 0xAB (as in KLEE), calloc's as 0; freed memory is not given again soon.
// expect: exits 1
// level: -O0
// uses: undefined values
#include <klee/klee.h>
#include <stdlib.h>
int main(void) {
  unsigned char *p = malloc(300), *z = calloc(100, 3);
  for (int i = 0; i < 300; i++) klee_assert(p[i] == 0xab && z[i] == 0);
  p[299] = 1;
  free(p);
  unsigned char *q = malloc(300);
  klee_assert(q != p && q[299] == 0xab);
  free(q);
  free(z);
  free(0);
  return 0;
}
