// expect: bug read_only line 6 "memory error: object read only"
// expect: exits 0
#include <klee/klee.h>
static const char text[8] = "texttex";
int main(void) {
  ((char *)text)[klee_range(0, 8, "i")] = 1;
  return 0;
}
