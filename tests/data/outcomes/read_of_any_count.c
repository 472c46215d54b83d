// read with a count and to a place that were read before.
// input: 12
// alphabet: 00 01 02 05 08 09 0a 41
#include "outcome.h"
#include <stdlib.h>
#include <string.h>

int main(void) {
  unsigned char head[2];
  unsigned char *room = calloc(24, 1);
  take(head, sizeof head);
  if (!room) return 249;
  size_t place = head[1] & 7;
  ssize_t got = read(0, room + place, head[0] & 15);
  if (got < 0) return 100;
  if (got != (head[0] & 15) && got != 10) return 101;
  unsigned char next = 0;
  if (read(0, &next, 1) == 1 && next == 'A') return each(20 + (int)got);
  if (memchr(room, 9, 24)) return each(40 + (int)got);
  return each((int)got);
}
