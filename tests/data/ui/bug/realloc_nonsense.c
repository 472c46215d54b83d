// expect: bug free line 6 "memory error: invalid pointer: realloc"
// expect: exits 0
#include <stdlib.h>
int main(void) {
  char *p = malloc(3);
  return realloc(p + 1, 10) != 0;
}
