// expect: bug free line 6 "free of alloca"
// expect: exits 0
#include <stdlib.h>
int main(void) {
  int x[4];
  free(x);
  return 0;
}
