// expect: exits 1
// level: -O0
#include <alloca.h>
#include <klee/klee.h>
int main(void) {
  char *last = 0;
  for (int i = 0; i < 2000; i++) {
    char *p = alloca(i % 7 + 1);
    klee_assert(p != last);
    p[i % 7] = (char)i;
    if (last) klee_assert(last[(i - 1) % 7] == (char)(i - 1));
    last = p;
  }
  for (int i = 1; i < 100; i++) {
    int vla[i];
    vla[i - 1] = i;
    klee_assert(vla[i - 1] == i);
  }
  return 0;
}
