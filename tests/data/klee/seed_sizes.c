// Seeds whose objects have other sizes than the program's, and replays of them.
//
// tool: ktest make -o long.ktest --set x=0x01020304 --set y=0x0700 -- seed_sizes.bc
// has: long.ktest
//
// tool: ktest make -o short.ktest --set x=0x01 --set y=0x0700 -- seed_sizes.bc
// has: short.ktest
//
// tool: ktest make -o one.ktest --set x=0x0102 -- seed_sizes.bc
// has: one.ktest
//
// klee: --seed-file=long.ktest --only-replay-seeds --output-dir=long %p
// says: KLEE: ERROR: ... replace size mismatch: x[2] vs x[4] in test
// counts: long .user.err 1
//
// klee: --seed-file=long.ktest --only-replay-seeds --allow-seed-extension --output-dir=wrong %p
// says: KLEE: ERROR: ... replace size mismatch: x[2] vs x[4] in test
//
// klee: --seed-file=long.ktest --only-replay-seeds --allow-seed-truncation --output-dir=cut %p
// prints: 513 seven
// says: KLEE: done: completed paths = 1
// counts: cut .user.err 0
//
// klee: --seed-file=short.ktest --only-replay-seeds --output-dir=short %p
// says: KLEE: ERROR: ... replace size mismatch: x[2] vs x[1] in test
//
// klee: --seed-file=short.ktest --only-replay-seeds --allow-seed-extension --output-dir=more %p
// prints: 1 seven
// says: KLEE: done: completed paths = 1
//
// klee: --seed-file=one.ktest --only-replay-seeds --output-dir=none %p
// says: KLEE: ERROR: ... ran out of inputs during seeding
//
// klee: --seed-file=one.ktest --only-replay-seeds --zero-seed-extension --output-dir=zero %p
// prints: 513 other
// says: KLEE: done: completed paths = 1
//
// klee: --replay-ktest-file=long.ktest --output-dir=size %p
// says: KLEE: ERROR: ... replay size mismatch
//
// klee: --replay-ktest-file=one.ktest --output-dir=count %p
// says: KLEE: ERROR: ... replay count mismatch
#include <klee/klee.h>
#include <stdio.h>

int main(void) {
  unsigned short x, y;
  klee_make_symbolic(&x, sizeof x, "x");
  klee_make_symbolic(&y, sizeof y, "y");
  if (x == 1) printf("1 ");
  else if (x == 513) printf("513 ");
  if (y == 7) printf("seven\n");
  else printf("other\n");
  return 0;
}
