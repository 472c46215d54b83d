// expect: unsupported "inline assembly"
// expect: exits 1
#include <klee/klee.h>
int main(void) {
  if (klee_int("x") == 1) __asm__ volatile("hlt" ::: "memory");
  return 0;
}
