// expect: bug ptr line 7 "memory error: out of bound pointer"
// expect: exits 0
#include <string.h>
static volatile unsigned long n = 9;
int main(void) {
  char a[8];
  memset(a, 1, n);
  return 0;
}
