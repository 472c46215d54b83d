// expect: exits 2
// expect: statuses 0 1
// expect: bug undef line 28 "branch on an undefined value"
// level: -O0
// Bit-fields in rows of more than 128 bits: members that were set are defined beside others that were not.
#include "klee/klee.h"
#include <stdlib.h>
#include <string.h>

#pragma pack(push, 1)
struct row {
  unsigned p : 29; int q : 30; unsigned r : 17; signed s : 27; unsigned t : 10; unsigned u : 30; int v : 13; unsigned w : 20;
};
#pragma pack(pop)

int main(void) {
  unsigned char in;
  klee_make_symbolic(&in, 1, "in");
  struct row row, *heap = malloc(sizeof *heap);
  row.q = in - 100;
  row.t = in;
  row.v = -5;
  row.w = 1 << 19;
  memcpy(heap, &row, sizeof row);
  heap->s = heap->q * 3;
  if (heap->q != in - 100 || heap->s != (in - 100) * 3 || heap->t != in || heap->v != -5 || heap->w >> 19 != 1)
    abort();
  if (heap->u == 7)
    return 2;
  _BitInt(300) number;
  unsigned char *bytes = (unsigned char *)&number;
  for (int i = 0; i < 38; i++)
    bytes[i] = i == 20 ? in : i;
  number <<= 7;
  number += 1;
  if ((unsigned char)(number >> 167) != in)
    abort();
  return in > 9;
}
