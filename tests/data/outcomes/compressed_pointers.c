// References of 32 bits: offsets from the base of a heap, zero for none.
// input: 3
// alphabet: 00 01 02 03 04 08 10 18 20
#include "outcome.h"
#include <stdint.h>
#include <stdlib.h>

typedef uint32_t reference;
struct cell {
  reference left, right;
  int value;
  int mark;
};
static char *base;
static uint32_t top = 16;

static struct cell *at(reference r) { return (struct cell *)(base + r); }
static reference make(int value, reference left, reference right) {
  reference r = top;
  top += sizeof(struct cell);
  *at(r) = (struct cell){left, right, value, 0};
  return r;
}
static void mark(reference r) {
  if (!r || at(r)->mark) return;
  at(r)->mark = 1;
  mark(at(r)->left);
  mark(at(r)->right);
}

int main(void) {
  unsigned char in[3];
  reference cell[5];
  int marked = 0;
  if (!(base = calloc(1, 4096))) return 249;
  take(in, sizeof in);
  for (int i = 0; i < 5; i++)
    cell[i] = make(i, i > 1 ? cell[i / 2] : 0, i > 2 && i % 3 ? cell[i - 2] : 0);
  if (in[0] >= 5 || in[1] >= 5) return 90;
  at(cell[in[0]])->left = cell[in[1]];
  mark(cell[in[0]]);
  for (int i = 0; i < 5; i++) marked += at(cell[i])->mark;
  uint32_t distance = cell[in[1]] - cell[in[0]];
  if ((int32_t)distance < 0) marked += 10;
  struct cell *other = (struct cell *)((char *)at(cell[in[0]]) + (int32_t)distance);
  if (other->value != in[1]) return 91;
  return each(marked + (in[2] % 5 == other->value ? 30 : 0));
}
