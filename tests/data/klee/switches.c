// Searches take the targets of a switch in KLEE's order, and the sides of a branch.
//
// klee: --search=dfs --output-dir=depth %p
// order: default tab space
//
// klee: --search=bfs --output-dir=breadth %p
// order: space tab default
//
// klee: --search=dfs --entry-point=sides --output-dir=sides %p
// order: fails holds
// With --switch-type=simple cases with one target have a path each.
//
// klee: --entry-point=groups --output-dir=together %p
// says: KLEE: done: completed paths = 3
//
// klee: --entry-point=groups --switch-type=simple --write-cov --output-dir=apart %p
// says: KLEE: done: completed paths = 5
// never: --switch-type
// counts: apart .ktest 5
//
// klee: --entry-point=groups --switch-type=llvm --output-dir=tree %p
// says: KLEE: WARNING: --switch-type changes nothing here:
// says: KLEE: done: completed paths = 3
#include <klee/klee.h>
#include <stdio.h>

int main(void) {
  char c;
  klee_make_symbolic(&c, sizeof c, "c");
  switch (c) {
  case '\t': puts("tab"); break;
  case ' ': puts("space"); break;
  default: puts("default");
  }
  return 0;
}

int sides(void) {
  int x = klee_int("x");
  if (x > 5) puts("holds");
  else puts("fails");
  return 0;
}

int groups(void) {
  int value;
  klee_make_symbolic(&value, sizeof value, "value");
  switch (value) {
  case 3:
  case 70:
  case -9: return 1;
  case 4: return 2;
  default: return 3;
  }
}
