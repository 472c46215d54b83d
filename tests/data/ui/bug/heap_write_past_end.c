// expect: bug ptr line 6 "memory error: out of bound pointer"
// expect: exits 0
#include <stdlib.h>
int main(void) {
  int *p = malloc(10); // room for two and a half
  p[2] = 1;
  return 0;
}
