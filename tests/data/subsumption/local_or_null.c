// Fails at line 27: a pointer that is null on one path is the address of a local on another.
// What was followed with the null pointer must not spare the path on which both are equal, and
// the local lies elsewhere there.
#include <klee/klee.h>
static int deeper(int n) {
  int own = n;
  return n > 0 ? deeper(n - 1) + own : own;
}
static int rest(int *pointer, int mark) {
  int local = mark;
  int *mine = &local;
  if (mark & 1)
    pointer = pointer ? mine : pointer;
  if (pointer == mine)
    return 7;
  return 3;
}
int main(void) {
  unsigned char in[3];
  int other = 0, got;
  klee_make_symbolic(in, sizeof in, "in");
  if (in[0] > 100)
    other = deeper(2);
  int *pointer = in[1] == 9 ? &other : 0;
  got = rest(pointer, in[2] == 5);
  if (got == 7)
    klee_abort();
  return 0;
}
