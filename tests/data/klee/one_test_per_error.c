// Two places that write beyond an array, one of which is reached on two paths.
//
// klee: %p
// status: 0
// says: KLEE: output directory is "/...klee-out-0"
// says: KLEE: ERROR: ...one_test_per_error.c:42: memory error: out of bound pointer
// says: KLEE: ERROR: ...one_test_per_error.c:46: memory error: out of bound pointer
// says: KLEE: NOTE: now ignoring this error at this location
// says: KLEE: done: completed paths = 3
// says: KLEE: done: partially completed paths = 3
// says: KLEE: done: generated tests = 5
// counts: klee-out-0 .ktest 5
// counts: klee-out-0 .ptr.err 2
// counts: klee-out-0 .kquery 2
// has: klee-last/info
// has: klee-last/assembly.ll
// has: klee-last/run.stats
// has: klee-last/run.istats
// has: klee-last/warnings.txt
// holds: klee-out-0/messages.txt: KLEE: NOTE: now ignoring this error at this location
// holds: klee-out-0/info: KLEE: done: generated tests = 5
// holds: klee-out-0/info: BEGIN searcher description
//
// klee: -emit-all-errors --output-dir=out %p
// status: 0
// never: now ignoring this error
// says: KLEE: done: generated tests = 6
// counts: out .ptr.err 3
// lacks: klee-out-1
//
// klee: --write-no-tests --output-dir=none %p
// says: KLEE: done: generated tests = 0
// counts: none .ktest 0
//
// klee: --output-dir=out %p
// status: 1
// says: KLEE: ERROR: cannot create "out": File exists
#include <klee/klee.h>
int a[2];

static void store(unsigned i) {
  a[i] = 1;
}

static void load(unsigned i, int *out) {
  *out = a[i];
}

int main(void) {
  int way = klee_range(0, 3, "way"), out;
  unsigned i = klee_int("i");
  if (way == 0) store(i);
  if (way == 1) store(i);
  if (way == 2) load(i, &out);
  return 0;
}
