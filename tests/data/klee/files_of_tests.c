// Files beside tests.
//
// klee: --search=dfs --write-sym-paths --write-xml-tests --write-smt2s --write-kqueries --write-cov --output-dir=out %p
// status: 0
// counts: out .ktest 3
// counts: out .sym.path 3
// counts: out .xml 4
// counts: out .smt2 3
// counts: out .kquery 3
// counts: out .cov 3
// holds: out/metadata.xml: <entryfunction>main</entryfunction>
// holds: out/test000001.xml: <input variable="x">0x
//
// klee: --output-module --output-source=0 --output-dir=module %p
// has: module/final.bc
// lacks: module/assembly.ll
//
// klee: --max-instructions=500000 --max-tests=1 --output-dir=one %p
// says: KLEE: halting execution, dumping remaining states
//
// klee: --dump-states-on-halt=0 --max-instructions=1 --output-dir=cut %p
// says: KLEE: done: generated tests = 0
#include <klee/klee.h>

int main(void) {
  int x = klee_int("x");
  if (x > 10) return 1;
  if (x < -10) return 2;
  return 0;
}
