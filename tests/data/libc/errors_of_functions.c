// errno of mathematical functions at their borders, and results that other libraries leave open.
#define _GNU_SOURCE
#include <errno.h>
#include <math.h>
#include <stdio.h>

static const double values[] = {0.0, -0.0, 1.0, -1.0, 0.5, 2.5, -2.5, 710.0, -750.0, 1e300, 171.5, 172.0, -172.5, 1e22, INFINITY,
  -INFINITY, NAN};
enum { COUNT = sizeof values / sizeof *values };

#define ONE(name) \
  for (int i = 0; i < COUNT; i++) { \
    volatile double x = values[i]; \
    errno = 0; \
    double r = name(x); \
    printf("%s(%g) = %.10g %d\n", #name, x, fabs(r), errno); \
  }
#define TWO(name) \
  for (int i = 0; i < COUNT * COUNT; i++) { \
    volatile double x = values[i / COUNT], y = values[i % COUNT]; \
    errno = 0; \
    double r = name(x, y); \
    printf("%s(%g, %g) = %.10g %d\n", #name, x, y, fabs(r), errno); \
  }

int main(void) {
  ONE(acos) ONE(asin) ONE(acosh) ONE(atanh) ONE(cosh) ONE(sinh) ONE(expm1) ONE(exp) ONE(exp2) ONE(exp10)
  ONE(log) ONE(log2) ONE(log10) ONE(log1p) ONE(sqrt) ONE(sin) ONE(cos) ONE(tan) ONE(lgamma) ONE(tgamma) ONE(y0) ONE(y1)
  TWO(remainder) TWO(hypot) TWO(fdim) TWO(pow)
  ONE(sqrtf) ONE(logf) ONE(expf) ONE(sinf) TWO(powf)
  static const int powers[] = {0, 1024, -1075, 20000, -20000};
  for (int i = 0; i < COUNT * 5; i++) {
    volatile double x = values[i % COUNT];
    errno = 0;
    double r = ldexp(x, powers[i / COUNT]);
    printf("%g %d", fabs(r), errno);
    r = scalbn(x, powers[i / COUNT]);
    printf(" %g %d\n", fabs(r), errno);
  }
  for (int i = 0; i < 9; i++) {
    int quotient = 0;
    double rest = remquo(values[i] * 1e5, 0.7, &quotient);
    printf("%g %d\n", rest, quotient);
  }
  return 0;
}
