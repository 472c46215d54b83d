/* What C leaves open and x86 defines: conversions out of range, the bits of NaN. */
#include "out.h"
static volatile double values[] = {0.0, -0.0, -0.75, 1e300, -1e300, 1e19, 1.9e19, -1e19, 9.3e18, -9.3e18, 4294967296.5, 2147483648.0, -2147483649.5, -2147483648.5, 65536.5, -40000.0, 300.0, 1e-310};
static volatile unsigned long nans[] = {0x7ff8000000000123, 0xfff8000000000456, 0x7ff0000000000001, 0x7ff0000000000000, 0xfff0000000000000};
static void outd(double d) { union { double d; unsigned long u; } u = {d}; out(u.u); }
static void outf(float f) { union { float f; unsigned u; } u = {f}; out(u.u); }
static void outl(long double l) { union { long double l; unsigned long w[2]; } u; u.w[1] = 0; u.l = l; out(u.w[0]); out(u.w[1] & 0xffff); }
static void conversions(double a) {
  volatile float f = a; volatile long double x = a;
  out((int)a); out((unsigned)a); out((long)a); out((unsigned long)a); out((short)(int)a); out((unsigned char)(int)a);
  out((int)f); out((unsigned)f); out((long)f); out((unsigned long)f);
  out((int)x); out((unsigned)x); out((long)x); out((unsigned long)x);
}
int test_main(void) {
  for (unsigned i = 0; i < sizeof values / sizeof *values; i++) {
    conversions(values[i]);
    volatile long double x = values[i] < 0 ? -values[i] : values[i];
    x += 1 / 3.0L;
    outl(__builtin_sqrtl(x)); outl(__builtin_sqrtl(x * 7));
  }
  for (unsigned i = 0; i < sizeof nans / sizeof *nans; i++) {
    union { unsigned long u; double d; } v = {nans[i]};
    conversions(v.d);
    outd(v.d * 2); outd(1 - v.d); outd(v.d / 3); outd(__builtin_sqrt(v.d));
    outf((float)v.d); outl((long double)v.d); outl((long double)v.d + 1); outf((float)((long double)v.d / 3));
  }
  volatile double zero = 0, infinite = 1 / zero;
  outd(zero / zero); outd(infinite - infinite); outd(zero * infinite); outd(__builtin_sqrt(-1 - zero));
  outf((float)zero / (float)zero); outl((long double)zero / (long double)zero); outl(__builtin_sqrtl(-1 - (long double)zero));
  return 0;
}
