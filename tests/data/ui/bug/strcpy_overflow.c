// expect: bug ptr line 6 "memory error: out of bound pointer"
// expect: exits 0
#include <string.h>
int main(void) {
  char a[3];
  strcpy(a, "abc");
  return 0;
}
