// Where one of many pointers is null, that one is the bug, and all others are read and written.
// expect: bug ptr line 15 "memory error: null page access"
// expect: statuses 0 1 2
#include <klee/klee.h>
#include <stdlib.h>
enum { NODES = 40 };
int main(void) {
  int *table[NODES];
  unsigned char at;
  for (int i = 0; i < NODES; i++) {
    table[i] = i == 11 ? 0 : malloc(sizeof(int));
    if (table[i]) *table[i] = i;
  }
  klee_make_symbolic(&at, sizeof at, "at"); klee_assume(at < NODES);
  *table[at] += 100;
  klee_assert(at != 11);
  if (*table[3] == 103) return at == 3 ? 1 : 90;
  if (*table[39] != 39) return at == 39 && *table[39] == 139 ? 2 : 91;
  return *table[at] == at + 100 ? 0 : 92;
}
