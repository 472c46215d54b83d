// expect: bug free line 6 "free of global"
// expect: exits 0
#include <stdlib.h>
static int x[4];
int main(void) {
  free(x);
  return 0;
}
