// Objects above 2 GiB that are hardly written.
// expect: exits 3
// expect: statuses 1 2 3
// level: -O0
#include <klee/klee.h>
#include <stdlib.h>
int main(void) {
  unsigned char *p = calloc(3, (size_t)1 << 30);
  klee_assert(p);
  p[0] = 9;
  p[3221225471] = 8;
  unsigned at;
  klee_make_symbolic(&at, sizeof at, "at");
  klee_assume(at < 3221225472u);
  if (p[at] == 9) return at == 0 ? 1 : 90;
  if (p[at] == 8) return at == 3221225471 ? 2 : 91;
  p[at] = 7;
  return p[at] == 7 && p[0] == 9 && p[3221225471] == 8 ? 3 : 92;
}
