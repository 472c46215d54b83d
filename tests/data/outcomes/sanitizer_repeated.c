// A place that reports in a loop: natively once, and the loop goes on.
// input: 2
// alphabet: 00 01 7f 80 ff
// flags: -fsanitize=signed-integer-overflow
// undefined: overflow
// report: Error: signed-integer-overflow
#include "outcome.h"

int main(void) {
  signed char in[2];
  int sum = 0x7ffffff0;
  take(in, sizeof in);
  for (int i = 0; i < 4; i++) sum += in[0] & 15;
  if (in[1] > 3) return sum < 0 ? 2 : 3;
  return sum < 0 ? 4 : 5;
}
