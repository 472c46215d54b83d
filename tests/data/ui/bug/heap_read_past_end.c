// expect: bug ptr line 7 "memory error: out of bound pointer"
// expect: exits 0
#include <klee/klee.h>
#include <stdlib.h>
int main(void) {
  volatile char *p = malloc(10);
  return p[10];
}
