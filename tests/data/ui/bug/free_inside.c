// expect: bug free line 6 "memory error: invalid pointer: free"
// expect: exits 0
#include <stdlib.h>
int main(void) {
  char *p = malloc(8);
  free(p + 1);
  return 0;
}
