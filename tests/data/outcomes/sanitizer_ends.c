// Checks whose handlers do not come back, natively with status 1.
// input: 1
// flags: -fsanitize=undefined,integer -fno-sanitize-recover=all
// undefined: overflow unreachable_call missing_return
// report: Error: signed-integer-overflow
// report: Error: unsigned-integer-overflow
// report: Error: unreachable-call
#include "outcome.h"

int main(void) {
  unsigned char in;
  take(&in, 1);
  volatile int big = 0x7fffff80;
  volatile unsigned natural = 200;
  if (in < 100) {
    int sum = big + in + 28 * (in > 99);
    return sum == 7 ? 9 : 2;
  }
  if (in < 130) {
    big = big + in;
    return 3;
  }
  if (in < 230) return natural - in < 71 ? 4 : 5;
  if (in == 255) __builtin_unreachable();
  return 6;
}
