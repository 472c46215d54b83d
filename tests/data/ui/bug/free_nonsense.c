// expect: bug free line 5 "memory error: invalid pointer: free"
// expect: exits 0
#include <stdlib.h>
int main(void) {
  free((void *)0x123456789);
  return 0;
}
