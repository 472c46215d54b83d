// memset of 0 to 4,095 bytes behind an offset; the block has a little less room.
// input: 3
// alphabet: 00 01 07 08 0f ff fe
// sanitizer: address
// deviation: end lost
#include "outcome.h"
#include <stdlib.h>
#include <string.h>

int main(void) {
  unsigned char in[3];
  take(in, sizeof in);
  size_t length = in[0] | (in[1] & 15u) << 8, offset = in[2] & 7;
  unsigned char *block = calloc(4100, 1);
  if (!block) return 249;
  memset(block + offset, 7, length);
  int seen = block[0] + block[100] + block[1000] + block[4000];
  if (length && block[offset + length - 1] != 7) return 100;
  return each(seen);
}
