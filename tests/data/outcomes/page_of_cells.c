// A page of a database as in sqlite: an array of offsets at the front, cells from the back.
// input: 4
// alphabet: 00 01 02 03 04 07 08 0c 7f 80 ff
// sanitizer: address
#include "outcome.h"
#include <stdlib.h>
#include <string.h>

enum { PAGE = 64, HEADER = 4 };

static unsigned get2(const unsigned char *p) { return p[0] << 8 | p[1]; }
static void put2(unsigned char *p, unsigned v) {
  p[0] = v >> 8;
  p[1] = v;
}

static int varint(const unsigned char *p, unsigned *value) {
  if (p[0] < 128) {
    *value = p[0];
    return 1;
  }
  *value = (p[0] & 127) << 7 | (p[1] & 127);
  return 2;
}

static int insert(unsigned char *page, const unsigned char *cell, unsigned length) {
  unsigned count = page[0], top = page[1] ? page[1] : PAGE;
  if (HEADER + 2 * (count + 1) + length > top) return 0;
  top -= length;
  memcpy(page + top, cell, length);
  put2(page + HEADER + 2 * count, top);
  page[0]++;
  page[1] = top;
  return 1;
}

int main(void) {
  unsigned char in[4], cell[20] = {0}, *page = calloc(1, PAGE);
  take(in, sizeof in);
  if (!page) return 249;
  for (int i = 0; i < 3; i++) {
    cell[0] = 10 + i;
    if (!insert(page, cell, 2 + 2 * i)) return 100;
  }
  if (!insert(page, in, (in[0] & 1) + 1)) return 101;
  /* The last cell's offset is damaged: with care the wrong ones are refused. */
  unsigned char *last = page + HEADER + 2 * 3;
  if (in[3] & 1) last[1] = in[2];
  unsigned at = get2(page + HEADER + 2 * (in[1] % 5));
  if (!(in[3] & 2) && (at < HEADER + 8 || at >= PAGE)) return 50;
  unsigned value;
  int length = varint(page + at, &value);
  return each(length + (int)(value & 3) * 2);
}
