// Places that have had their share of all forks follow one side.
//
// klee: --output-dir=free %p
// status: 0
// says: KLEE: done: completed paths = 8
// never: skipping fork
//
// klee: --output-dir=place --max-static-fork-pct=0.3 --max-static-pct-check-delay=1 %p
// status: 0
// says: KLEE: WARNING ONCE: skipping fork and concretizing condition (MaxStatic*Pct limit reached) at ...shares_of_places.c:
// says: KLEE: done: completed paths = 4
//
// klee: --output-dir=path --max-static-cpfork-pct=0.5 --max-static-pct-check-delay=1 %p
// status: 0
// says: KLEE: done: completed paths = 2
//
// klee: --output-dir=later --max-static-fork-pct=0.3 --max-static-pct-check-delay=100 %p
// status: 0
// says: KLEE: done: completed paths = 8
#include "klee/klee.h"

int main(void) {
  char x[3];
  int sum = 0;
  klee_make_symbolic(x, sizeof x, "x");
  if (x[0] == 'a') sum += 1;
  if (x[1] == 'b') sum += 2;
  if (x[2] == 'c') sum += 4;
  return sum;
}
