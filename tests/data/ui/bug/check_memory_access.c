// expect: bug ptr line 6 "check_memory_access: memory error"
// expect: exits 0
#include <klee/klee.h>
int main(void) {
  char a[4];
  klee_check_memory_access(a + 1, 4);
  return 0;
}
