// What the compiler leaves to LLVM to know.
// expect: exits 1
// level: -O0
#include <klee/klee.h>
static char global[33];
int main(void) {
  char local[7], *inside = local + 3;
  klee_assert(__builtin_object_size(local, 0) == 7);
  size_t rest = __builtin_object_size(inside, 0);
  klee_assert(rest == 4 || rest == (size_t)-1); // a compiler that does not optimise cannot say
  klee_assert(__builtin_object_size(global + 30, 1) == 3);
  return local[0] = 0;
}
