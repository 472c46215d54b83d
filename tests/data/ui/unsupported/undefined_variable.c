// expect: unsupported "nowhere"
// expect: exits 1
#include <klee/klee.h>
extern int nowhere;
int main(void) {
  if (klee_int("x") == 1) return nowhere;
  return 0;
}
