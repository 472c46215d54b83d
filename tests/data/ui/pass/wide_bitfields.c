// expect: exits 4
// expect: statuses 0 1 2 3
// Branches on symbolic bit-fields in rows of more than 128 bits, which are loaded and stored as one integer.
#include "klee/klee.h"
#include <assert.h>
#include <string.h>

#pragma pack(push, 1)
struct row {
  unsigned p : 29; int q : 30; unsigned r : 17; signed s : 27; unsigned t : 10; unsigned u : 30; int v : 13; unsigned w : 20;
};
#pragma pack(pop)

static struct row rows[2] = {{1, -2, 3, -4, 5, 6, -7, 8}, {0}};

int main(void) {
  struct row row;
  klee_make_symbolic(&row, sizeof row, "row");
  if (row.q != -123456)
    return 0;
  row.p = row.s;
  rows[1] = row;
  klee_assert(rows[1].q == -123456 && rows[1].v == row.v);
  if (rows[1].v >= 0)
    return 1;
  klee_assert(row.v >> 12 == -1);
  rows[0].u = row.t * 1000;
  rows[0].v++;
  klee_assert(rows[0].u == row.t * 1000u && rows[0].v == -6 && rows[0].t == 5 && rows[0].w == 8);
  if (rows[0].u + rows[1].w == 1023000) {
    if ((row.t == 1023) | (row.w != 0))
      return 2;
    return 4;
  }
  return 3;
}
