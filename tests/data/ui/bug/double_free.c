// expect: bug free line 7 "double free"
// expect: exits 0
#include <stdlib.h>
int main(void) {
  void *p = malloc(8);
  free(p);
  free(p);
  return 0;
}
