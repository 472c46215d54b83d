// The sides of branches, written and followed.
//
// klee: --write-paths --write-sym-paths --search=dfs --output-dir=base %p
// counts: base .path 8
// counts: base .sym.path 4
//
// klee: --replay-path=base/test000001.path --output-dir=again %p
// says: KLEE: done: completed paths = 1
// says: KLEE: done: generated tests = 1
//
// klee: --replay-path=%d/forced.path --output-dir=forced %p
// prints: res: 110
// says: KLEE: done: completed paths = 1
//
// klee: --replay-path=%d/wrong.path --output-dir=wrong %p
// says: hit invalid branch in replay path mode
//
// klee: --replay-path=%d/short.path --output-dir=short %p
// says: ran out of branches in replay path mode
#include <klee/klee.h>
#include <stdio.h>

int main(void) {
  int res = 1, x = klee_int("x");
  if (x & 1) res *= 2;
  if (x & 4) res *= 5;
  // It has one possible side by now.
  if (x & 1) res *= 11;
  printf("res: %d\n", res);
  return 0;
}
