// The questions to the solver, logged as queries.
//
// klee: --use-query-log=all:kquery,solver:smt2 --use-query-log=all:smt2 --output-dir=out %p
// has: out/solver-queries.smt2
// lacks: out/solver-queries.kquery
// holds: out/all-queries.kquery: # Query 0 -- Type: InitialValues, Instructions:
// holds: out/all-queries.kquery: (query [
// holds: out/all-queries.kquery: #   OK -- Elapsed: 0.
// holds: out/all-queries.kquery: #   Solvable: true
// holds: out/all-queries.kquery: #     x = [
// holds: out/all-queries.smt2: ; Query 1 -- Type
// holds: out/all-queries.smt2: (check-sat)
// holds: out/all-queries.smt2: ;   Solvable: false
//
// klee: --use-query-log=every:kquery --output-dir=other %p
// status: 1
// says: it must be one of all:kquery, all:smt2, solver:kquery, solver:smt2
#include <klee/klee.h>

int main(void) {
  unsigned x;
  klee_make_symbolic(&x, sizeof x, "x");
  if (x * x == 49) {
    if (x == 8) return 1;
    return 2;
  }
  return 3;
}
