// A block changes its size twice by input; bytes at the ends tell whether it was moved whole.
// input: 3
// alphabet: 00 01 02 07 08 09 40 ff
// sanitizer: address
#include "outcome.h"
#include <stdlib.h>

int main(void) {
  unsigned char in[3];
  take(in, sizeof in);
  size_t first = in[0] + 1, second = in[1] + 1;
  unsigned char *block = calloc(first, 1);
  if (!block) return 249;
  block[0] = 1;
  block[first - 1] = 2;
  unsigned char *moved = realloc(block, second);
  if (!moved) return 249;
  if (second > first) moved[second - 1] = 3;
  if (in[2] == 255) return each(10 + (moved == 0));
  if (in[2] < 64) {
    if (in[2] >= second) return 40;
    if (in[2] == first - 1) return each(50 + moved[in[2]]);
    if (in[2] < first) return each(60 + moved[in[2]]);
    return in[2] == second - 1 ? each(70 + moved[in[2]]) : 74;
  }
  return each(moved[first - 1]);
}
