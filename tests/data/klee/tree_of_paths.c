// The tree of paths: written as KLEE's, and looked at.
//
// klee: --output-dir=out --write-exec-tree %p
// has: out/exec_tree.db
// never: WARNING: --write-exec-tree
// tool: klee-exec-tree branches out/exec_tree.db
// order: branch type,count Switch,2 Conditional,1
// tool: klee-exec-tree depths out
// order: depth,count 2,1 3,1 4,2
// tool: klee-exec-tree terminations out
// prints: Exit,2
// prints: Ptr,1
// prints: SilentExit,1
// tool: klee-exec-tree tree-info out
// prints: nodes: 7
// prints: leaf nodes: 4
// prints: max. depth: 4
// prints: avg. depth: 3.2
// tool: klee-exec-tree instructions out
// prints: asm line,branches,terminations,termination types
// prints: ,0,1,Ptr(1)
// prints: ,2,0,
// tool: klee-exec-tree tree-dot out
// prints: strict digraph ExecutionTree {
// prints: N1[tooltip="...\nnode: 1\nstate: 0\nasm: ..."];
// prints: ...,color=red];
// prints: N1->{N2 N3};
// tool: klee-exec-tree out
// status: 1
// prints: Usage: klee-exec-tree
// tool: klee-exec-tree depths nowhere.db
// status: 1
// says: Cannot open "nowhere.db"
// tool: klee-exec-tree depths %p
// status: 1
// says: Cannot prepare read statement: file is not a database
// tool: run --output-dir=many --write-exec-tree --prune homi --max-time 1s %p
// status: 2
// says: --write-exec-tree cannot be combined with --prune, --restart or --resume
#include "klee/klee.h"

int main(void) {
  int x, y;
  klee_make_symbolic(&x, sizeof x, "x");
  klee_make_symbolic(&y, sizeof y, "y");
  switch (x) {
  case 3: *(volatile int *)0 = 1; break;
  case 4: klee_silent_exit(0); break;
  default: break;
  }
  if (y > 5) return 1;
  return 0;
}
