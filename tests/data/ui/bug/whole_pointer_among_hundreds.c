// A pointer that is input as a whole may point to any of hundreds of blocks, and each is found.
// expect: bug ptr line 15 "memory error: null page access"
// expect: statuses 0 1 2
#include <klee/klee.h>
#include <stdlib.h>
int main(void) {
  int *blocks[300], *chosen;
  for (int i = 0; i < 300; i++) {
    blocks[i] = malloc(sizeof *blocks[i]);
    *blocks[i] = i;
  }
  klee_make_symbolic(&chosen, sizeof chosen, "chosen");
  // Any other address is a bug.
  int value;
  value = *chosen;
  return value == 299 ? 2 : value == 7;
}
