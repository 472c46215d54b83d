// Whole heap and global objects can be made symbolic, again too: the newest object counts.
// expect: exits 3
// expect: statuses 0 1 2
// level: -O0
#include <klee/klee.h>
#include <stdlib.h>
char global[3];
int main(void) {
  char *heap = malloc(5);
  klee_make_symbolic(global, sizeof global, "global");
  klee_make_symbolic(heap, 5, "heap");
  klee_make_symbolic(heap, 5, "heap");
  if (global[2] == 'x') return 1;
  if (heap[4] == 'y') return 2;
  return 0;
}
