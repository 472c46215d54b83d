// expect: exits 2
// expect: statuses 3 255
// level: -O0
#include <klee/klee.h>
#include <stdlib.h>
#include <unistd.h>
int main(void) {
  if (klee_int("x")) exit(3);
  _exit(-1);
}
