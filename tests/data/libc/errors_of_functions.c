// errno of mathematical functions at their borders, of all three types, and results that other libraries leave open.
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

/* Errors in each type, and the sign of a result that is no number. */
static void told(const char *name, double x, double r, int error) {
  printf("%s(%g) %d", name, x, error);
  if (r != r) printf(" %d", signbit(r) != 0);
  puts("");
}
#define TYPED(T, name) \
  for (int i = 0; i < COUNT + 1; i++) { \
    volatile T x = i < COUNT ? values[i] : -NAN; \
    errno = 0; \
    double r = name(x); \
    told(#name, x, r, errno); \
  }
#define EACH(name) TYPED(double, name) TYPED(float, name##f) TYPED(long double, name##l)

static void each_type(void) {
  EACH(asin) EACH(acosh) EACH(atanh) EACH(cosh) EACH(sinh) EACH(expm1) EACH(exp) EACH(exp2) EACH(exp10)
  EACH(log) EACH(log2) EACH(log10) EACH(log1p) EACH(sqrt) EACH(sin) EACH(cos) EACH(tan) EACH(erfc) EACH(lgamma) EACH(tgamma)
  TYPED(float, y0f) TYPED(float, y1f) TYPED(double, y0)
}

#define PAIR(name) \
  errno = 0; \
  r = name(x, y); \
  told(#name, x, r, errno);

static void pairs(void) {
  for (int i = 0; i < COUNT * COUNT; i++) {
    volatile long double x = values[i / COUNT], y = values[i % COUNT];
    double r;
    PAIR(powl) PAIR(hypotl) PAIR(atan2) PAIR(nextafter)
  }
  for (int i = 0; i < COUNT; i++) {
    volatile double x = values[i];
    errno = 0;
    printf("%d", ilogb(x)), printf(" %d", errno), errno = 0;
    printf(" %g", (double)ldexpl(x, -20000)), printf(" %d", errno), errno = 0;
    printf(" %g", scalblnf(x, 200)), printf(" %d\n", errno);
  }
}

int main(void) {
  each_type();
  pairs();
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
