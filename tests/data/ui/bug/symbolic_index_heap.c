// expect: bug ptr line 8 "memory error: out of bound pointer"
// expect: exits 1
#include <klee/klee.h>
#include <stdlib.h>
int main(void) {
  char *p = malloc(100);
  unsigned char i = klee_int("i");
  p[i] = 1;
  return 0;
}
