// expect: exits 1
// expect: stderr "constant:7\n"
// expect: stderr "(in [3, "
#include <klee/klee.h>
int main(void) {
  klee_print_range("constant", 7);
  klee_print_range("x", klee_range(3, 9, "x"));
  return 0;
}
