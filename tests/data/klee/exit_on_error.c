// The first error ends the run where that is asked for.
//
// klee: --exit-on-error --output-dir=first %p
// status: 1
// says: KLEE: ERROR: EXITING ON ERROR:
// says: Error: ASSERTION FAIL: x != 3
// says: File: ...exit_on_error.c
// never: KLEE: done:
//
// klee: --exit-on-error-type=Assert --output-dir=kind %p
// status: 0
// says: KLEE: done: total instructions
// never: EXITING ON ERROR
//
// klee: --exit-on-error-type=Ptr --output-dir=other %p
// status: 0
// says: KLEE: done: completed paths = 1
// counts: other .assert.err 1
#include <assert.h>
#include <klee/klee.h>

int main(void) {
  int x = klee_range(0, 8, "x");
  assert(x != 3);
  return 0;
}
