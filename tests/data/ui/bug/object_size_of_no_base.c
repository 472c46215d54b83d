// expect: bug ptr line 6 "memory error: invalid pointer: klee_get_obj_size"
// expect: exits 0
#include <klee/klee.h>
int main(void) {
  char a[4];
  return klee_get_obj_size(a + 1);
}
