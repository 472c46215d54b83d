// expect: exits 1
#include <klee/klee.h>
int main(void) {
  char buffer[8];
  klee_check_memory_access(buffer, 8);
  klee_check_memory_access(buffer + 7, 1);
  return 0;
}
