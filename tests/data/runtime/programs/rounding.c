/* fesetround: arithmetic, roots, conversions and roundings in every mode, saved and restored. */
#pragma STDC FP_CONTRACT OFF
#include <fenv.h>
#include <math.h>
#include <stdio.h>
static volatile double values[] = {1, 3, -1, 10, 0.1, -2.5, 1e16, 1e-308, 7, 123456789.123};
static volatile long integers[] = {9007199254740993, -9007199254740993, 16777217, -16777217};
/* The bits, since libraries print hexadecimal floats in different ways. */
static void d(double x) { union { double x; unsigned long u; } v = {x}; printf("%lx ", v.u); }
static void f(float x) { union { float x; unsigned u; } v = {x}; printf("%x ", v.u); }
static void l(long double x) {
  union { long double x; unsigned long u[2]; } v;
  v.x = x;
  printf("%lx:%lx ", v.u[1] & 0xffff, v.u[0]);
}
static void compute(void) {
  unsigned n = sizeof values / sizeof *values;
  for (unsigned i = 0; i < n; i++) {
    double a = values[i], b = values[(i * 3 + 1) % n];
    volatile float p = a, q = b;
    volatile long double x = a, y = b;
    d(a + b), d(a - b * 1e-20), d(a * b), d(a / b);
    f(p + q * 1e-10f), f(p * q), f(p / q);
    l(x + y * 1e-30L), l(x * y / 3), l(x / y);
    d(sqrt(fabs(a))), f(sqrtf(fabsf(p))), l(sqrtl(fabsl(x)));
    d(rint(a)), d(nearbyint(b));
    d((float)(a / 7)), d((int)a), d(x / 3);
    printf("%ld\n", lrint(a / 4));
  }
  for (unsigned i = 0; i < sizeof integers / sizeof *integers; i++) d(integers[i]), f(integers[i]);
  puts("");
}
int main(void) {
  static const int modes[] = {FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO, FE_TONEAREST};
  fenv_t saved;
  compute();
  for (int i = 0; i < 4; i++) {
    printf("mode %d\n", modes[i]);
    if (fesetround(modes[i])) puts("refused");
    printf("%d\n", fegetround());
    compute();
  }
  fesetround(FE_UPWARD);
  fegetenv(&saved);
  fesetround(FE_DOWNWARD);
  fesetenv(&saved);
  printf("%d\n", fegetround());
  fesetenv(FE_DFL_ENV);
  printf("%d %d\n", fegetround(), fesetround(12345) != 0);
  return 0;
}
