// expect: unsupported "printf conversion %e without a libc"
// expect: exits 0
#include <stdio.h>
int main(void) {
  printf("%e\n", 1.5);
  return 0;
}
