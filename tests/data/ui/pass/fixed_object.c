// Device registers and the like.
// expect: exits 2
// expect: statuses 0 1
// level: -O0
#include <klee/klee.h>
int main(void) {
  volatile unsigned *device = (unsigned *)0x40000000;
  klee_define_fixed_object((void *)device, 64);
  klee_assert(device[3] == 0);
  device[15] = 7;
  klee_assert(device[15] == 7);
  klee_make_symbolic((void *)device, 64, "device");
  if (device[2] == 5) return 1;
  return 0;
}
