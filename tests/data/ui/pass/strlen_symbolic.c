// Without a libc the built-ins fork where they must: one path per length.
// expect: exits 4
// expect: statuses 0 1 2 3
// level: -O0
#include <klee/klee.h>
#include <string.h>
int main(void) {
  char s[4];
  klee_make_symbolic(s, 4, "s");
  s[3] = 0;
  return (int)strlen(s);
}
