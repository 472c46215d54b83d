// Functions of libm where the program may change the rounding and read what was raised.
// input: 1
// flags: -ffp-model=strict
#include "outcome.h"
#include <fenv.h>
#include <math.h>

int main(void) {
  unsigned char in;
  take(&in, 1);
  double x = in / 8.0;
  double sum = sin(x) * sin(x) + cos(x) * cos(x);
  if (fabs(sum - 1) > 1e-12) return 90;
  if (in && fabs(exp(log(x)) - x) > 1e-9 * x) return 91;
  if (fabs(pow(x, 2) - x * x) > 1e-9) return 92;
  if (in == 7) {
    if (fesetround(FE_UPWARD)) return 93;
    volatile double one = 1, three = 3, third = one / three;
    fesetround(FE_TONEAREST);
    return third * 3 > 1 || third > one / three ? 100 : 94;
  }
  return each((int)floor(x) + 2);
}
