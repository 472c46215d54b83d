// A block of 3 GiB of which few bytes are touched, at places that the input chooses.
// input: 2
// alphabet: 00 01 7f 80 bf c0 ff
#include "outcome.h"
#include <stdint.h>
#include <stdlib.h>

int main(void) {
  unsigned char in[2];
  size_t size = (size_t)3 << 30;
  take(in, sizeof in);
  unsigned char *block = calloc(size, 1);
  if (!block) return 249;
  block[0] = 1;
  block[size - 1] = 2;
  block[(size_t)1 << 31] = 3;
  size_t at = (size_t)in[0] << 24;
  if (at >= size) at = size - 1 - (at - size);
  block[at] += 10;
  size_t other = (size_t)(in[1] & 3) << 30;
  if (other == size) other--;
  return each(block[other] + 20 * (block[size - 1] > 2));
}
