#include "out.h"
static void outd(double d) { union { double d; unsigned long u; } u = {d}; out(u.u); }
static void outf(float d) { union { float d; unsigned u; } u = {d}; out(u.u); }
static double values[] = {0.0, -0.0, 1.0, -1.5, 0.1, 1e10, -1e300, 1e-310, 3.999999, 2147483647.5, -2147483649.0, 1e19, 123456.789};
int test_main(void) {
  unsigned n = sizeof values / sizeof *values;
  for (unsigned i = 0; i < n; i++) {
    double a = values[i], b = values[(i * 5 + 2) % n]; float f = (float)a, g = (float)b; long double x = a, y = b;
    outd(a + b); outd(a - b); outd(a * b); if (b != 0) outd(a / b); outd(-a);
    outf(f + g); outf(f - g); outf(f * g); if (g != 0) outf(f / g); outf(-f);
    outd((double)(x + y)); outd((double)(x * y - x)); if (y != 0) outd((double)(x / y)); out(x < y); out(x == y); out(x != x);
    out(a < b); out(a <= b); out(a == b); out(a != b); out(a > b); out(!(a >= b)); out(f < g);
    out(__builtin_isunordered(a, b)); out(__builtin_islessgreater(a, b));
    if (a > -2e9 && a < 2e9) { out((int)a); out((long)x); }
    if (a > -9e18 && a < 9e18) out((long)a);
    if (a > -0.5 && a < 1.8e19) { out((unsigned long)a); out((unsigned long)x); }
    outd((double)(long)i * 3); outf((float)(unsigned long)(i * 0x123456789UL)); outd((double)(0xfffffffffffffff0UL + i)); outd((double)(signed char)(200 + i));
    outd(__builtin_fabs(a)); outd(__builtin_copysign(a, b));
    outd(__builtin_fabs(a) < 1e200 ? __builtin_sqrt(__builtin_fabs(a)) : 0);
    long double z = (long double)(long)(i * 1000003) / 7; outd((double)z); out((long)(z * 1000));
    union { long double l; unsigned long w[2]; } bits; bits.w[1] = 0; bits.l = z; out(bits.w[0]); out(bits.w[1] & 0xffff);
  }
  double nan = __builtin_nan(""); out(nan == nan); out(nan < 1); out(nan != nan); outd(__builtin_inf()); 
  float acc = 0; for (int i = 1; i < 100; i++) acc += 1.0f / i; outf(acc);
  double e = 1, t = 1; for (int i = 1; i < 20; i++) { t /= i; e += t; } outd(e);
  return 0;
}
