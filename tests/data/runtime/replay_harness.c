/* A harness that uses every kind of symbolic input; it prints what it was given. */
#include <stdio.h>

#include "klee/klee.h"

int main(void) {
  char text[4];
  int number;
  klee_make_symbolic(text, sizeof text, "text");
  klee_make_symbolic(&number, sizeof number, NULL);
  int fixed = klee_range(3, 4, "fixed");
  int small = klee_range(0, 10, "small");
  int any = klee_int("any");
  unsigned long chosen = klee_choose(5);
  klee_assume(number > 0);
  klee_prefer_cex(&number, number == 1);
  klee_assert(small != 9);
  printf("%.4s %d %d %d %d %lu %u %u %d\n", text, number, fixed, small, any, chosen, klee_is_replay(),
         klee_is_symbolic((uintptr_t)number), klee_get_value_i32(number));
  return small;
}
