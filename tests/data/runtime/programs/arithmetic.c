/* Floating point: operations whose results are exact or correctly rounded, others to twelve digits. */
#include <fenv.h>
#include <float.h>
#include <math.h>

#include "show.h"

int main(void) {
  static const double values[] = {0.0, -0.0, 0.5, -0.5, 1.5, 2.5, -2.5, 1e15 + 0.5, 1e300, -3.999999};
  for (unsigned i = 0; i < sizeof values / sizeof values[0]; i++) {
    double x = values[i], whole;
    int exponent;
    printf("%a: %a %a %a %a %a %a %ld %ld\n", x, floor(x), ceil(x), round(x), trunc(x), rint(x), nearbyint(x),
           fabs(x) < 1e18 ? lround(x) : 0, fabs(x) < 1e18 ? lrint(x) : 0);
    printf("  %a", frexp(x, &exponent));
    printf(" %d %a", exponent, modf(x, &whole));
    printf(" %a %a %d %d\n", whole, ldexp(x, 3), !!signbit(x), fpclassify(x) == FP_ZERO);
    printf("  %.12g %.12g %.12g %.12g\n", fmod(x, 0.7), remainder(x, 0.7), copysign(2, x), fdim(x, 1));
  }
  SHOW_REAL(sqrt(2));
  SHOW_REAL(cbrt(27));
  SHOW_REAL(pow(2, 0.5));
  SHOW_REAL(pow(-2, 3));
  SHOW_REAL(exp(1));
  SHOW_REAL(exp2(10));
  SHOW_REAL(expm1(1e-5));
  SHOW_REAL(log(10));
  SHOW_REAL(log2(1024));
  SHOW_REAL(log10(1000));
  SHOW_REAL(log1p(1e-5));
  SHOW_REAL(sin(1));
  SHOW_REAL(cos(1));
  SHOW_REAL(tan(1));
  SHOW_REAL(asin(0.5));
  SHOW_REAL(acos(0.5));
  SHOW_REAL(atan2(1, -1));
  SHOW_REAL(sinh(1));
  SHOW_REAL(tanh(1));
  SHOW_REAL(hypot(3, 4));
  SHOW_REAL(erf(0.5));
  SHOW_REAL(tgamma(5));
  SHOW_REAL(lgamma(10));
  SHOW_REAL(fma(2, 3, 4));
  SHOW_REAL(sqrtl(2.0L));
  SHOW_REAL(powl(2.0L, 0.25L));
  SHOW_REAL(fmodl(7.5L, 2.0L));
  SHOW_REAL(sqrtf(3.0f));
  SHOW_REAL(nextafter(1, 2) - 1);
  SHOW_REAL(ilogb(1000));
  SHOW_REAL(logb(0.1));
  SHOW_REAL(scalbn(1.5, -3));
  SHOW(isnan(sqrt(-1)));
  SHOW(isinf(exp(1000)));
  SHOW(isfinite(DBL_MAX));
  SHOW(isnormal(DBL_MIN / 2));
  SHOW((int)3.99 + (int)-3.99);
  SHOW((long)1e18);
  SHOW((unsigned char)300.5 == 44 || 1);
  SHOW((float)0.1 == 0.1);
  SHOW(0.1 + 0.2 == 0.3);
  SHOW((long)((double)0x7fffffffffffffff == 0x1p63));
  volatile unsigned long large = 0xfffffffffffff800;
  SHOW_REAL((double)large);
  SHOW_REAL((float)large);
  SHOW_REAL((long double)large);
  SHOW(fmin(1, NAN) == 1);
  return 0;
}
