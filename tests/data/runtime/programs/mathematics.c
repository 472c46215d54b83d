// libm in its three widths. Of functions whose last bit the standard leaves open five digits are compared, of the
// others every bit. What a NaN's sign is depends on the library.
#include <fenv.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static const double values[] = {0.0, -0.0, 0.3, -0.7, 1.0, -1.0, 1.5, 2.5, -3.5, 7.25, 0.001, 123.456, -8.6, 1e10, 1e-10, INFINITY, -INFINITY, NAN};
enum { COUNT = sizeof values / sizeof *values };

static void near(const char *name, long double value) {
  if (isnan(value)) printf(" %s nan", name);
  else printf(" %s %.5Lg", name, value);
}
static void same(const char *name, double value) {
  unsigned long bits;
  memcpy(&bits, &value, sizeof bits);
  if (isnan(value)) printf(" %s nan", name);
  else printf(" %s %lx", name, bits);
}
// Which zero of two is the smaller one is open.
static void unsigned_zero(const char *name, double value) { same(name, value == 0 ? 0.0 : value); }

#define NEAR(of) near(#of, of(x)), near(#of "f", of##f((float)x)), near(#of "l", of##l(x))
#define SAME(of) same(#of, of(x)), same(#of "f", of##f((float)x)), same(#of "l", (double)of##l(x))
#define NEAR2(of) near(#of, of(x, y)), near(#of "f", of##f((float)x, (float)y)), near(#of "l", of##l(x, y))
#define SAME2(of) same(#of, of(x, y)), same(#of "f", of##f((float)x, (float)y)), same(#of "l", (double)of##l(x, y))

static void one(double x) {
  printf("%a:", x);
  NEAR(acos), NEAR(asin), NEAR(atan), NEAR(cosh), NEAR(sinh), NEAR(tanh), NEAR(acosh), NEAR(asinh), NEAR(atanh);
  printf("\n "), NEAR(exp), NEAR(exp2), NEAR(expm1), NEAR(exp10), NEAR(log), NEAR(log2), NEAR(log10), NEAR(log1p), NEAR(cbrt);
  printf("\n "), NEAR(erf), NEAR(erfc), NEAR(tgamma), NEAR(lgamma);
  if (fabs(x) < 1e6) NEAR(sin), NEAR(cos), NEAR(tan);
  printf("\n "), SAME(ceil), SAME(floor), SAME(trunc), SAME(round), SAME(rint), SAME(nearbyint), SAME(roundeven), SAME(fabs), SAME(sqrt), SAME(logb);
  same("significand", isinf(x) || isnan(x) ? 0 : significand(x));
  if (fabs(x) < 1e9) printf(" %ld %ld %ld %lld %lld %ld", lrint(x), lrintf(x), lround(x), llrint(x), llroundl(x), lrintl(x));
  if (isfinite(x) && x != 0) printf(" %d %d %d", ilogb(x), ilogbf(x), ilogbl(x));
  int exponent = 0;
  double whole = 0;
  float wholef = 0;
  if (isfinite(x)) {
    same("frexp", frexp(x, &exponent)), printf(" %d", exponent);
    same("modf", modf(x, &whole)), same("", whole);
    same("modff", modff(x, &wholef)), same("", wholef);
    same("ldexp", ldexp(x, 3)), same("scalbn", scalbn(x, -3)), same("scalbln", scalblnf(x, 2L)), same("ldexpf", ldexpf(x, -1));
  }
  double s, c;
  if (fabs(x) < 1e6) sincos(x, &s, &c), near("sincos", s), near("", c);
  if (x > 0 && isfinite(x) && x < 1e6) near("j0", j0(x)), near("j1", j1(x)), near("jn", jn(2, x)), near("y0", y0(x)), near("y1f", y1f(x)), near("yn", yn(2, x));
  printf(" %d%d%d%d\n", !!isfinite(x), !!isnormal(x), !!signbit(x) && !isnan(x), fpclassify(x));
}

static void two(double x, double y) {
  printf("%a %a:", x, y);
  NEAR2(atan2), NEAR2(pow), NEAR2(hypot);
  SAME2(fmod), SAME2(remainder), SAME2(fdim), SAME2(copysign), SAME2(nextafter);
  unsigned_zero("fmax", fmax(x, y)), unsigned_zero("fmaxf", fmaxf(x, y)), unsigned_zero("fmaxl", fmaxl(x, y));
  unsigned_zero("fmin", fmin(x, y)), unsigned_zero("fminf", fminf(x, y)), unsigned_zero("fminl", fminl(x, y));
  same("nexttoward", nexttoward(x, y)), same("fma", fma(x, y, 1.0)), same("fmaf", fmaf(x, y, 2.0f)), same("drem", drem(x, y));
  int quotient;
  double rest = remquo(x, y, &quotient);
  same("remquo", rest);
  if (isfinite(x) && isfinite(y) && y != 0) printf(" %d", quotient & 7);
  printf("\n");
}

int main(void) {
  for (int i = 0; i < COUNT; i++) one(values[i]);
  for (int i = 0; i < COUNT; i++)
    for (int j = 0; j < COUNT; j += 2) two(values[i], values[j]);
  int sign = 0;
  near("lgamma_r", lgamma_r(-0.5, &sign));
  printf(" %d %d\n", sign, isnan(nan("")) && isnan(nanf("1")) && isnan(nanl("")));
  return 0;
}
