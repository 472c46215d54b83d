// expect: bug ptr line 9 "memory error: use after free"
// expect: exits 0
#include <stdlib.h>
int main(void) {
  int *p = malloc(8);
  free(p);
  int *q = malloc(8);
  q[0] = 1;
  p[1] = 1;
  return 0;
}
