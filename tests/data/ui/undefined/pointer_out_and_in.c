// expect: bug ptr line 15 "memory error: out of bound pointer"
// expect: bug undef line 19 "branch on an undefined value"
// expect: bug undef line 21 "access through a pointer that left its object"
// expect: exits 4
// expect: statuses 0 1
// level: -O0
#include <klee/klee.h>

static int numbers[10];

int main(void) {
  unsigned index;
  klee_make_symbolic(&index, sizeof index, "index");
  if (index > 10) return 0;
  int value = numbers[index]; // Out of bounds only at the end: no undefined pointer.
  int *far = numbers + index + 2;
  klee_assume(index < 10);
  // With index 9 the sum lies beyond the end.
  if (far == numbers + 3) return 1;
  int *below = numbers + index - 5; // Below the start for some.
  if (index == 2) return below[4];
  return value;
}
