// frexp, modf, ldexp and their kin as the compiler's own functions.
// input: 1
#include "outcome.h"
#include <math.h>

int main(void) {
  unsigned char in;
  int exponent, other;
  take(&in, 1);
  double part = __builtin_frexp((double)in / 4, &exponent);
  if (in && (part < 0.5 || part >= 1.0)) return 90;
  if (__builtin_ldexp(part, exponent) != (double)in / 4) return 91;
  float small = __builtin_frexpf(-(float)in, &other);
  if (in && (small > -0.5f || small <= -1.0f || other != exponent + 2)) return 92;
  long double wide = __builtin_frexpl((long double)in * 3, &other);
  if (in && (wide < 0.5L || wide >= 1.0L)) return 93;
  double whole, rest = __builtin_modf((double)in / 8, &whole);
  if (rest * 8 + whole * 8 != in) return 94;
  if (__builtin_frexp(INFINITY, &other) != INFINITY) return 95;
  if (rest == 0.5) return 60;
  return each(exponent + 10);
}
