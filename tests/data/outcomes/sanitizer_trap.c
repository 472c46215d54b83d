// The same checks as traps.
// input: 1
// flags: -fsanitize=undefined,integer,nullability,implicit-conversion,local-bounds -fsanitize-trap=all
#include "outcome.h"

static int numbers[8] = {1, 2, 3, 4, 5, 6, 7, 8};

int main(void) {
  unsigned char in;
  take(&in, 1);
  volatile unsigned natural = 200;
  volatile int shift = in & 63;
  if (in < 64) return numbers[in & 15] + 1;
  if (in < 128) return (1 << shift) > 1000 ? 2 : 3;
  if (in < 240) return natural - in > 100 ? 4 : 5;
  volatile signed char narrow = natural + (in - 240) * 8;
  return narrow == 0 ? 6 : 7;
}
