/* Half precision, binary128, x87 numbers and conversions between all of them and integers of all widths; printing through bits. */
#include <fenv.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#ifndef __FAST_MATH__
static void bits(const void *p, int n) { const unsigned char *b = p; while (n--) printf("%02x", b[n]); printf(" "); }
#define BITS(type, size, e) do { type b_ = (e); if (b_ == b_) bits(&b_, size); else printf("nan "); } while (0)
static const double values[] = {0, -0.0, 1, -1.5, 0.1, 65504, 65519.9, 65520, 5.9604644775390625e-8, 6.1e-5, 1e-310, 1e308, 2147483647.5, -2147483648.9, 4294967295.5, 9.3e18, -9.2e18, 3e38, 1e-45, 0.333333333333333333, 123456789.123456789};
static void halves(double d, double e) {
  _Float16 a = (_Float16)d, b = (_Float16)e;
  BITS(_Float16, 2, a); BITS(_Float16, 2, a + b); BITS(_Float16, 2, a - b); BITS(_Float16, 2, a * b); BITS(_Float16, 2, a / b); BITS(_Float16, 2, -a);
  BITS(float, 4, (float)a); BITS(double, 8, (double)a); BITS(long double, 10, (long double)b); BITS(_Float16, 2, (_Float16)(float)e); BITS(_Float16, 2, (_Float16)(long double)e);
  printf("%d%d%d%d ", a < b, a == b, a >= b, a != a);
  if (d > -32000 && d < 32000) printf("%d %ld %d ", (int)a, (long)a, (short)a);
  BITS(_Float16, 2, (_Float16)(int)(long)(d > -2e9 && d < 2e9 ? d : 7)); a += b; a *= (_Float16)0.5; BITS(_Float16, 2, a); printf("\n");
}
static void quads(double d, double e) {
  __float128 a = d, b = e, c = a / 3;
  BITS(__float128, 16, a); BITS(__float128, 16, a + c); BITS(__float128, 16, a * c - b); if (e != 0) BITS(__float128, 16, a / b); BITS(__float128, 16, -c);
  BITS(double, 8, (double)c); BITS(float, 4, (float)c); BITS(long double, 10, (long double)c); BITS(__float128, 16, (__float128)(1 / 3.0L)); BITS(__float128, 16, (__float128)(float)d);
  printf("%d%d%d%d ", a < b, a == b, c <= a, c != c);
  if (d > -9e18 && d < 9e18) { printf("%ld ", (long)(c * 5)); BITS(__float128, 16, (__float128)(long)d); printf("%d ", (int)(d > -2e9 && d < 2e9 ? a : 1)); }
  if (d >= 0 && d < 1e30) { unsigned __int128 w = (unsigned __int128)(a * 1000); printf("%lx:%lx ", (long)(w >> 64), (long)w); BITS(__float128, 16, (__float128)w); BITS(__float128, 16, (__float128)(__int128)-w); }
  BITS(__float128, 16, (__float128)(unsigned)((long)(d > 0 && d < 4e9 ? d : 3))); printf("\n");
}
static void extended(double d, double e) {
  long double a = d, b = e, c = a / 7;
  BITS(long double, 10, c); BITS(long double, 10, c * b); BITS(long double, 10, c + b); BITS(long double, 10, fmal(a, b, c)); BITS(long double, 10, floorl(c)); BITS(long double, 10, rintl(c)); BITS(long double, 10, copysignl(c, b));
  BITS(double, 8, (double)c); BITS(float, 4, (float)c); if (d > -9e18 && d < 9e18) printf("%ld %lld ", (long)c, llrintl(c)); if (d >= 0 && d < 1.8e19) printf("%lu ", (unsigned long)a);
  BITS(long double, 10, (long double)(unsigned long)-(long)(d > 0 && d < 9e18 ? d : 1)); BITS(long double, 10, (long double)((__int128)1 << 90)); BITS(long double, 10, sqrtl(fabsl(c)));
  if (e != 0) { BITS(long double, 10, fmodl(c, b)); BITS(long double, 10, remainderl(c, b)); } int x; BITS(long double, 10, frexpl(c, &x)); printf("%d ", x); BITS(long double, 10, ldexpl(c, -70)); printf("%Lg %La\n", c, b);
}
#pragma STDC FENV_ACCESS ON
static __attribute__((noinline)) void modes(double d, double e) {
  static const int all[] = {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};
  for (int i = 0; i < 4; i++) {
    volatile double a = d, b = e; volatile float f = (float)d; volatile long double l = d;
    fesetround(all[i]);
    volatile double s = a + b, q = a / 3, p = a * b; volatile float g = (float)a, h = f / 3; volatile long double m = l / 3; volatile double n = (double)m; volatile double r = rint(a), k = nearbyint(b); long t = a > -9e17 && a < 9e17 ? lrint(a) : 0;
    fesetround(FE_TONEAREST);
    BITS(double, 8, s); BITS(double, 8, q); BITS(double, 8, p); BITS(float, 4, g); BITS(float, 4, h); BITS(long double, 10, m); BITS(double, 8, n); BITS(double, 8, r); BITS(double, 8, k); printf("%ld ", t);
  }
  printf("%d\n", fegetround() == FE_TONEAREST);
}
int main(void) {
  int n = sizeof values / sizeof *values;
  for (int i = 0; i < n; i++) for (int k = 0; k < 3; k++) { double d = values[i], e = values[(i * 5 + k * 7 + 2) % n]; halves(d, e); quads(d, e); extended(d, e); modes(d, e); }
  return 0;
}
#else
int main(void) { return 0; } /* what fast arithmetic gives is not defined */
#endif
