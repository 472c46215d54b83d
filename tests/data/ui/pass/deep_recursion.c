// expect: exits 1
// level: -O0
#include <klee/klee.h>
static int sum(int n) { int here[2] = {n, 1}; return n ? here[0] + sum(n - here[1]) : 0; }
int main(void) { klee_assert(sum(3000) == 4501500); return 0; }
