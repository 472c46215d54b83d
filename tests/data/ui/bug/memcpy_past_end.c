// Reported where the program calls it.
// expect: bug ptr line 8 "memory error: out of bound pointer"
// expect: exits 0
#include <string.h>
static volatile unsigned long n = 9;
int main(void) {
  char a[8] = {0}, b[16];
  memcpy(b, a, n);
  return 0;
}
