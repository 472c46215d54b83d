// Numbers in groups of seven bits: too long, not the shortest, signed by folding.
// input: 3
// alphabet: 00 01 7f 80 81 ff
#include "outcome.h"
#include <stdint.h>

static int decode(const unsigned char *at, int left, uint32_t *value) {
  *value = 0;
  for (int i = 0; i < left; i++) {
    *value |= (uint32_t)(at[i] & 127) << (7 * i);
    if (!(at[i] & 128)) return i && !at[i] ? -2 : i + 1;
  }
  return -1;
}

int main(void) {
  unsigned char in[3];
  uint32_t value;
  take(in, 3);
  int length = decode(in, 3, &value);
  if (length < 0) return 90 - length;
  int32_t folded = (int32_t)(value >> 1) ^ -(int32_t)(value & 1);
  int class = folded < -64 ? 0 : folded < 0 ? 1 : folded == 0 ? 2 : folded < 64 ? 3 : 4;
  return length * 10 + class;
}
