// Copies out of what was just written: distance and length come from the input, as in inflate.
// input: 3
// alphabet: 00 01 02 03 04 05 07 08
#include "outcome.h"
#include <stdlib.h>
#include <string.h>

enum { WINDOW = 8 };

int main(void) {
  unsigned char in[3], window[WINDOW], *out = malloc(24);
  unsigned next = 0, have = 0;
  take(in, sizeof in);
  if (!out) return 249;
  unsigned char *put = out, *end = out + 24;
  memcpy(put, "abc", 3);
  put += 3;
  memcpy(window, put - 3, 3);
  next = have = 3;
  unsigned distance = in[0] & 15, length = in[1] & 7;
  if (distance == 0) return 51;
  if (distance > have) return 50; /* too far back */
  unsigned char *from = window + (next + WINDOW - distance) % WINDOW;
  while (length--) {
    if (put == end) return 60;
    *put++ = *from;
    window[next] = *from;
    next = (next + 1) % WINDOW;
    if (have < WINDOW) have++;
    if (++from == window + WINDOW) from = window;
  }
  return each(put[-1 - (in[2] & 1)] - 'a' + 5 * ((put - out) & 3));
}
