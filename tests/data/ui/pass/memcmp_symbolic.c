// expect: statuses 0 1
// level: -O0
#include <klee/klee.h>
#include <string.h>
int main(void) {
  unsigned char a[3];
  klee_make_symbolic(a, 3, "a");
  if (memcmp(a, "abc", 3) == 0) return 1;
  klee_assert(a[0] != 'a' || a[1] != 'b' || a[2] != 'c');
  return 0;
}
