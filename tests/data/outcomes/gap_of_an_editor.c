// The text of an editor around a gap; the cursor moves by memmove, wrong moves leave the buffer.
// input: 3
// alphabet: 00 01 02 03 04 05 08 09 80 ff
// sanitizer: address
#include "outcome.h"
#include <stdlib.h>
#include <string.h>

int main(void) {
  unsigned char in[3];
  take(in, sizeof in);
  unsigned char *text = malloc(16);
  if (!text) return 249;
  memcpy(text, "abcd", 4);
  memcpy(text + 12, "wxyz", 4);
  unsigned char *gap = text + 4, *rest = text + 12;
  signed char move = (signed char)in[0];
  if (move < -5 || move > 5) return 50;
  if (move < 0) {
    size_t n = -move;
    memmove(rest - n, gap - n, n);
    gap -= n;
    rest -= n;
  } else {
    memmove(gap, rest, move);
    gap += move;
    rest += move;
  }
  if (in[1] & 1 && gap < rest) *gap++ = '!';
  unsigned at = in[2] & 7;
  unsigned char *letter = text + at < gap ? text + at : rest + (at - (gap - text));
  if (letter >= text + 16) return 51;
  return each(*letter & 31);
}
