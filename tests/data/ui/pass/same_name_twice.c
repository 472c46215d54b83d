// A name used twice gives two objects that differ.
// expect: exits 3
// expect: objects v:1 v:1
// level: -O0
#include <klee/klee.h>
int main(void) {
  unsigned char a, b;
  klee_make_symbolic(&a, 1, "v");
  klee_make_symbolic(&b, 1, "v");
  if (a == 1 && b == 2) return 1;
  return 0;
}
