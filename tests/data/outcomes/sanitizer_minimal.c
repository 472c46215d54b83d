// The minimal runtime, whose handlers have no arguments.
// input: 2
// alphabet: 00 7f 80 ff
// bitcode: -fsanitize=undefined,integer -fsanitize-minimal-runtime
// undefined: overflow ptr
// report: Error: add-overflow
// report: Error: mul-overflow
// report: Error: shift-out-of-bounds
#include "outcome.h"

int main(void) {
  unsigned char in[2];
  take(in, sizeof in);
  volatile int big = 0x7fffff00, shift = in[1] & 127, one = 1;
  big = big + in[0] + in[1];
  if (big < 0) return 2;
  big = big * (in[0] & 3);
  if (in[0] > 200) return big < 0 ? 3 : 4;
  big = one << (in[0] == 200 ? shift : 3);
  return shift > 31 ? 5 : 6;
}
