// A variable of a library that is not there can be read once the program has written all of it, and not before: half of it is
// not enough.
// expect: unsupported "halves"
// expect: exits 1
// expect: statuses 7
#include <klee/klee.h>
extern int (*hook)(int);
extern short halves[2];
static int seven(int x) { return x + 6; }
int main(void) {
  hook = seven;
  if (klee_int("x") == 1) {
    halves[0] = 1;
    return halves[0];
  }
  return hook(1);
}
