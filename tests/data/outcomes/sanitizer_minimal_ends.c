// The minimal runtime where nothing goes on.
// input: 1
// bitcode: -fsanitize=undefined -fsanitize-minimal-runtime -fno-sanitize-recover=all
// undefined: overflow
// report: Error: sub-overflow
#include "outcome.h"

int main(void) {
  unsigned char in;
  take(&in, 1);
  volatile int least = -0x7fffffff;
  least = least - (in == 77 ? 4 : 1);
  return in > 100 ? 2 : 3;
}
