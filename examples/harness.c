// A harness in the style of KLEE: it calls a function with symbolic numbers.
// Compile it with -Iruntime/include.
//
// homi finds two large numbers whose sum overflows to a negative number, so that their middle is
// not between them.
//
// run:
// finds: assert line 23

#include <assert.h>
#include <klee/klee.h>

static int middle(int low, int high) {
  return (low + high) / 2;
}

int main(void) {
  int low, high;
  klee_make_symbolic(&low, sizeof low, "low");
  klee_make_symbolic(&high, sizeof high, "high");
  klee_assume((0 <= low) & (low <= high));
  int found = middle(low, high);
  assert(low <= found && found <= high);
  return 0;
}
