// A ring whose ends run on: positions are masked, lengths are checked by subtraction.
// input: 4
// alphabet: 00 01 02 03 04 05 06 07 08 09 0f
#include "outcome.h"

enum { SIZE = 16 };
struct ring {
  unsigned char byte[SIZE];
  unsigned head, tail;
};

static int put(struct ring *r, const unsigned char *from, unsigned count) {
  if (SIZE - (r->head - r->tail) < count) return 0;
  for (unsigned i = 0; i < count; i++) r->byte[(r->head + i) & (SIZE - 1)] = from[i];
  r->head += count;
  return 1;
}
static unsigned get(struct ring *r, unsigned char *to, unsigned count) {
  unsigned have = r->head - r->tail;
  if (count > have) count = have;
  for (unsigned i = 0; i < count; i++) to[i] = r->byte[(r->tail + i) & (SIZE - 1)];
  r->tail += count;
  return count;
}

int main(void) {
  struct ring ring = {{0}, 0xfffffff8u, 0xfffffff8u};
  unsigned char in[4], room[SIZE] = {0};
  static const unsigned char text[SIZE] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16};
  take(in, sizeof in);
  if (!put(&ring, text, in[0] & 7)) return 100;
  unsigned got = get(&ring, room, in[1] & 3);
  if (got != ((in[0] & 7) < (in[1] & 3) ? (in[0] & 7) : (in[1] & 3))) return 101;
  if (!put(&ring, text, in[2] & 14)) return 50;
  if (in[3] > 3) return 51;
  return each(ring.byte[4 * in[3] + 1] + 20 * (ring.head < ring.tail));
}
