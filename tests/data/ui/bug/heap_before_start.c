// expect: bug ptr line 6 "memory error: out of bound pointer"
// expect: exits 0
#include <stdlib.h>
int main(void) {
  char *p = malloc(10);
  return p[-1];
}
