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
