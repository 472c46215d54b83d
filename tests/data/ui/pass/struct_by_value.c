// The callee works on a copy.
// expect: exits 1
// level: -O0
#include <klee/klee.h>
struct big { int values[20]; };
static int change(struct big b) { b.values[3] = 9; return b.values[3] + b.values[19]; }
static struct big make(int n) { struct big b = {{n}}; b.values[19] = n; return b; }
int main(void) {
  struct big b = make(4);
  klee_assert(change(b) == 13 && b.values[3] == 0 && b.values[0] == 4);
  return 0;
}
