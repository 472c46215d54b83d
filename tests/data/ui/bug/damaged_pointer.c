// A byte of a pointer is changed before free.
// expect: bug free line 11 "memory error: invalid pointer: free"
// expect: exits 1
#include <klee/klee.h>
#include <stdlib.h>
union overlay { void *block; unsigned char byte[sizeof(void *)]; };
int main(void) {
  union overlay data;
  unsigned char change; klee_make_symbolic(&change, sizeof change, "change");
  data.block = malloc(37); data.byte[0] = (unsigned char)(data.byte[0] + change);
  free(data.block);
  return change;
}
