// Seeds, and tests that are replayed within the engine.
//
// klee: --search=dfs --output-dir=base %p
// says: KLEE: done: completed paths = 4
// counts: base .ktest 4
//
// klee: --replay-ktest-file=base/test000001.ktest --output-dir=one %p
// says: KLEE: replaying: base/test000001.ktest (...bytes) (1/1)
// says: KLEE: done: completed paths = 1
//
// klee: --replay-ktest-dir=base --output-dir=all %p
// says: KLEE: replaying: base/test000004.ktest (...bytes) (4/4)
// says: KLEE: done: completed paths = 4
// prints: seven
//
// klee: --seed-file=base/test000002.ktest --only-replay-seeds --output-dir=path %p
// says: KLEE: done: completed paths = 1
// says: KLEE: done: generated tests = 1
//
// klee: --seed-dir=base --output-dir=search %p
// says: KLEE: done: completed paths = 4
//
// klee: --seed-file=base/test000002.ktest --only-seed --output-dir=seeded %p
// says: KLEE: done: completed paths = 1
//
// tool: ktest make -o seed.ktest --set other=0x07000000 -- seeds.bc
// has: seed.ktest
//
// klee: --seed-file=seed.ktest --only-replay-seeds --output-dir=position %p
// prints: seven
// says: KLEE: done: completed paths = 1
//
// klee: --seed-file=seed.ktest --only-replay-seeds --named-seed-matching --output-dir=name %p
// says: WARNING... using seed input other[4] for: x (no name match)
// prints: seven
// says: KLEE: done: completed paths = 1
#include <klee/klee.h>
#include <stdio.h>

int main(void) {
  int x;
  klee_make_symbolic(&x, sizeof x, "x");
  if (x == 7) printf("seven\n");
  else if (x < 5) printf("small\n");
  else if (x > 100) printf("large\n");
  else printf("middle\n");
  return 0;
}
