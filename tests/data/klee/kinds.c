// Kinds of errors, by the argument.
//
// klee: --output-dir=double %p d
// says: KLEE: ERROR: ...kinds.c:51: memory error: double free
// counts: double .ptr.err 1
//
// klee: --output-dir=inner %p i
// says: memory error: invalid pointer: free
// counts: inner .ptr.err 1
//
// klee: --output-dir=local %p l
// says: KLEE: ERROR: ...kinds.c:55: free of alloca
// counts: local .free.err 1
//
// klee: --output-dir=global %p g
// says: free of global
// counts: global .free.err 1
//
// klee: --output-dir=abort %p a
// says: abort failure
// counts: abort .abort.err 1
//
// klee: --output-dir=missing %p m
// says: KLEE: WARNING: undefined reference to function: defined_nowhere
// says: KLEE: ERROR: ...kinds.c:62: failed external call: defined_nowhere
// counts: missing .external.err 1
//
// klee: --output-dir=divided %p z
// says: divide by zero
// counts: divided .div.err 1
//
// klee: --output-dir=reported %p r
// says: KLEE: ERROR: ...kinds.c:66: my own error
// counts: reported .own.err 1
//
// klee: --output-dir=deep --max-stack-frames=50 %p s
// says: KLEE: done: partially completed paths = 1
// counts: deep .early 1
// holds: deep/test000001.early: Maximum stack size reached.
#include <klee/klee.h>
#include <stdlib.h>

int defined_nowhere(int);
int global, zero;
int deeper(int n) { return n < 0 ? 0 : deeper(n + 1) + 1; }

int main(int argc, char **argv) {
  char *p = malloc(3), local[4];
  switch (argv[1][0]) {
  case 'd': free(p);
    free(p); break;
  case 'i':
    free(p + 1); break;
  case 'l':
    free(local); break;
  case 'g':
    free(&global); break;
  case 'a':
    abort();
  case 'm':
    zero = 0;
    return defined_nowhere(argc);
  case 'z':
    return 4 / zero;
  case 'r':
    klee_report_error("there.c", 7, "my own error", "own.err");
  case 's':
    return deeper(1);
  }
  return 0;
}
