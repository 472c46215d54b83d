// A symbolic index into a table of many heap objects reaches each of them.
// expect: bug assert line 20 "ASSERTION FAIL: table[handle]->value != 26"
// expect: statuses 0 1
#include <klee/klee.h>
#include <stdlib.h>
enum { NODES = 40 };
struct node { int value; unsigned char seen; };
int main(void) {
  struct node *table[NODES];
  unsigned char handle;
  for (int i = 0; i < NODES; i++) {
    table[i] = malloc(sizeof *table[i]);
    table[i]->value = (i * 17 + 3) % 101;
    table[i]->seen = 0;
  }
  klee_make_symbolic(&handle, sizeof handle, "handle");
  if (handle >= NODES) return 1;
  table[handle]->seen = 1;
  // Only node 37.
  klee_assert(table[handle]->value != 26);
  return 0;
}
