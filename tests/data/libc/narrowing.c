// Operations that round once to a narrower type, conversions to integers of some bits, payloads of NaNs, and which NaN of
// two is the result.
#define _GNU_SOURCE
#define __STDC_WANT_IEC_60559_BFP_EXT__ 1
#include <errno.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static uint64_t state = 88172645463325252u;

static uint64_t next(void) {
  state ^= state << 13;
  state ^= state >> 7;
  return state ^= state << 17;
}

/* Of a magnitude between 2^-30 and 2^30; some lie in the middle of two floats. */
static double number(void) {
  uint64_t bits = next() & ~(UINT64_C(0x7ff) << 52), kind = next() % 4;
  double result;
  bits |= (993 + next() % 60) << 52;
  if (kind < 2) bits &= ~((UINT64_C(1) << 29) - 1);
  if (kind == 1) bits |= UINT64_C(1) << 28;
  memcpy(&result, &bits, 8);
  return result;
}

static void show(double value) {
  if (value == value) printf("%a/%d ", value, errno);
  else printf("nan/%d ", errno);
  errno = 0;
}

static void operations(double x, double y, double z) {
  long double wide = (long double)x + (long double)y * 0x1p-50L, other = (long double)z * 3;
  show(fadd(x, y)), show(fsub(x, y)), show(fmul(x, y)), show(fdiv(x, y)), show(fsqrt(x)), show(ffma(x, y, z));
  show(daddl(wide, other)), show(dsubl(wide, other)), show(dmull(wide, other)), show(ddivl(wide, other));
  show(dsqrtl(other)), show(dfmal(wide, other, x)), show(faddl(wide, other)), show(fdivl(wide, other));
  printf("\n");
}

static void integers(void) {
  static const double values[] = {0, 2.5, 3.5, -2.5, 127.5, -128.5, 9.3e18, -1e300, INFINITY, NAN};
  for (size_t i = 0; i < sizeof values / sizeof *values; i++)
    for (int direction = 0; direction < 5; direction++)
      for (unsigned bits = 0; bits < 66; bits += bits < 8 ? 8 : 57) {
        printf("%jd/", fromfp(values[i], direction, bits));
        printf("%ju/%d ", ufromfp(values[i], direction, bits), errno);
        errno = 0;
      }
  printf("\n");
}

static void nans(void) {
  static const char *const texts[] = {"", "1", "0x123", "010", "a_b", "12)"};
  volatile double a = nan("7"), b = -nan("9");
  uint64_t bits;
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    double made = nan(texts[i]);
    memcpy(&bits, &made, 8);
    printf("%jx ", (uintmax_t)bits);
  }
  double results[] = {remainder(a, b), remainder(b, a), nexttoward(a, (long double)b)};
  for (size_t i = 0; i < sizeof results / sizeof *results; i++) {
    memcpy(&bits, &results[i], 8);
    printf("%jx ", (uintmax_t)bits);
  }
  printf("%d\n", iseqsig(a, 1.0) || errno != EDOM);
}

int main(void) {
  for (int i = 0; i < 60; i++) operations(number(), number(), number());
  operations(1e300, 1e300, 1), operations(1e-300, 1e-300, 1), operations(-1, 0, 1), operations(0, 0, 0);
  integers();
  nans();
  return 0;
}
