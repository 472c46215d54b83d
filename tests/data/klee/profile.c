// The profile is about assembly.ll: its lines, its order of functions.
//
// klee: --output-dir=out %p
// status: 0
// holds: out/run.istats: ob=assembly.ll
// holds: out/run.istats: fn=first
// holds: out/run.istats: positions: instr line
// lacks: out/none
#include "klee/klee.h"

__attribute__((noinline)) int first(int value) {
  return value / 3;
}

int main(void) {
  int x;
  klee_make_symbolic(&x, sizeof x, "x");
  return first(x) == 7;
}
