// All cases with one target are one side.
// expect: exits 3
// expect: statuses 1 2 3
#include <klee/klee.h>
int main(void) {
  unsigned char c;
  klee_make_symbolic(&c, 1, "c");
  switch (c) {
  case 'a': case 'e': case 'i': case 'o': case 'u': return 1;
  case '0' ... '9': return 2;
  default: return 3;
  }
}
// level: -O0
