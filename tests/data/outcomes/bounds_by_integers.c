// Bounds that are checked on addresses as integers, once rightly and once in a way that wraps.
// input: 3
// alphabet: 00 01 0f 10 11 20 7f 80 f0 ff
// sanitizer: address
#include "outcome.h"
#include <stdint.h>
#include <stdlib.h>

int main(void) {
  unsigned char in[3];
  take(in, sizeof in);
  unsigned char *block = malloc(32), *other = malloc(32);
  if (!block || !other) return 249;
  for (int i = 0; i < 32; i++) block[i] = i, other[i] = 100 + i;
  intptr_t shift = (signed char)in[0];
  uintptr_t wanted = (uintptr_t)block + shift;
  /* One comparison of unsigned numbers does for both ends. */
  if (wanted - (uintptr_t)block < 32) {
    unsigned char *p = (unsigned char *)wanted;
    if (p + 4 <= block + 32) return each(10 + p[3] % 8);
    return each(20 + *p % 8);
  }
  if (in[1] < 8) {
    /* Narrowed to eight bits, a shift of minus one passes as 255 does not. */
    signed char small = (signed char)in[2];
    if (small < 32) return each(30 + other[small] % 4);
    return 40;
  }
  if (wanted > (uintptr_t)block + 32) return 50;
  return each(51 + (wanted != (uintptr_t)block + 32));
}
