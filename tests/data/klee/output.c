// What the program prints is seen at once, also on a path that ends in an error.
//
// klee: %p
// prints: before
// says: KLEE: WARNING: main: careful
// says: KLEE: WARNING ONCE: main: only once
// says: KLEE: ERROR: ...output.c:20: memory error: out of bound pointer
// says: KLEE: done: generated tests = 1
#include <klee/klee.h>
#include <stdio.h>

int main(void) {
  static int a[4];
  unsigned i = klee_int("i");
  klee_assume(i > 3);
  klee_assume(i < 8);
  printf("before\n");
  klee_warning("careful");
  klee_warning_once("only once");
  return a[i];
}
