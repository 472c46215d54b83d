// expect: bug ptr line 7 "memory error: out of bound pointer"
// expect: exits 0
#include <klee/klee.h>
int main(void) {
  volatile char *device = (char *)0x50000000;
  klee_define_fixed_object((void *)device, 16);
  return device[16];
}
