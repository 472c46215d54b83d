// How options are written, and what becomes of them.
//
// klee: -max-time 10s --search=dfs -search bfs --output-dir out %p
// status: 0
// holds: out/info: bfs
//
// klee: @%d/arguments.txt
// status: 0
// says: KLEE: output directory is "/...from-file"
//
// klee: --use-cex-cache --kdalloc=false --write-exec-tree --output-dir=told %p
// status: 0
// says: KLEE: WARNING: --kdalloc changes nothing here: addresses in homi are always the same in each run
// says: KLEE: WARNING: --use-cex-cache changes nothing here:
// says: KLEE: WARNING: --write-exec-tree changes nothing here: homi writes no exec_tree.db
// lacks: told/exec_tree.db
// holds: told/warnings.txt: KLEE: WARNING: --kdalloc changes nothing here
//
// klee: --max-tme=3 %p
// status: 1
// says: klee: Unknown command line argument '--max-tme=3'.  Try: 'klee --help'
// says: klee: Did you mean '--max-time'?
// lacks: klee-last
//
// klee: --max-depth=deep %p
// status: 1
// says: klee: for the --max-depth option: 'deep' value invalid for uint argument!
//
// klee: --entry-point=nothing %p
// status: 1
// says: KLEE: ERROR: Entry function 'nothing' not found in module.
//
// klee: absent.bc
// status: 1
// says: KLEE: ERROR: Loading file absent.bc failed:
//
// klee: --help
// status: 0
// says: --max-time=VALUE
// lacks: klee-last
//
// klee: --output-dir=stdin
// stdin: %p
// status: 0
// says: KLEE: done: completed paths = 1
//
// klee: --output-dir=link --link-llvm-lib=%d/other.bc --function-alias=seven:eight --entry-point=second %p
// status: 0
// prints: 8
#include <stdio.h>

int seven(void) { return 7; }
int eight(void) { return 8; }
int main(void) { return 0; }

int second(void) {
  printf("%d\n", seven());
  return 0;
}
