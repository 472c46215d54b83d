// expect: bug ptr line 8 "memory error: use after free"
// expect: exits 0
#include <stdlib.h>
int main(void) {
  char *p = malloc(8);
  char *q = realloc(p, 16);
  q[0] = 1;
  return p[0];
}
