// expect: bug ptr line 8 "memory error: use after free"
// expect: exits 0
#include <stdlib.h>
int main(void) {
  int *p = malloc(8);
  p[0] = 1;
  free(p);
  return p[0];
}
