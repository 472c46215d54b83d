// Equal, or different at one of three places.
// expect: exits 2
// level: -O0
// expect: statuses 0 1
#include <klee/klee.h>
#include <string.h>
int main(void) {
  char s[3];
  klee_make_symbolic(s, 3, "s");
  klee_assume(s[2] == 0);
  klee_assume(s[0] == 'o');
  if (strcmp(s, "ok") == 0) {
    klee_assert(s[1] == 'k');
    return 1;
  }
  klee_assert(s[1] != 'k');
  return 0;
}
