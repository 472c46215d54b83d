// klee_choose gives each number below its argument, and nothing for none.
// expect: exits 3
// expect: statuses 0 1 2
// expect: objects klee_choose:8
// level: -O0
#include <klee/klee.h>
int main(void) {
  switch (klee_choose(3)) {
  case 0: return 0;
  case 1: return 1;
  case 2: return 2;
  default: return 9;
  }
}
