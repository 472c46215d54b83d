// expect: exits 1
// expect: stderr "one:1\n"
// expect: stderr "byte:(ZExt w32 (Read w8 0 c))\n"
#include <klee/klee.h>
int main(void) {
  unsigned char c;
  klee_make_symbolic(&c, 1, "c");
  klee_print_expr("one", 1);
  klee_print_expr("byte", c);
  return 0;
}
