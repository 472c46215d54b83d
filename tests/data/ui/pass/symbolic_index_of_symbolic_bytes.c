// expect: exits 2
// expect: statuses 0 1
#include <klee/klee.h>
int main(void) {
  unsigned char bytes[4], i;
  klee_make_symbolic(bytes, 4, "bytes");
  klee_make_symbolic(&i, 1, "i");
  klee_assume(i < 4);
  klee_assume((bytes[0] < 10) & (bytes[1] < 10) & (bytes[2] < 10));
  if (bytes[i] == 200) {
    klee_assert(i == 3);
    return 1;
  }
  return 0;
}
// level: -O1
