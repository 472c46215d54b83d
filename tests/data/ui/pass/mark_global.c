// A marked object outlives its frame.
// expect: exits 1
#include <klee/klee.h>
#include <alloca.h>
static int *kept;
static void make(int n) {
  int *object = alloca(n * sizeof(int));
  object[1] = 77;
  klee_mark_global(object);
  kept = object;
}
int main(void) {
  make(4);
  klee_assert(kept[1] == 77);
  return 0;
}
// level: -O0
