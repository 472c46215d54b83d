/* Floating-point exception flags of operations in three formats, and the functions that deal with them. */
#include <fenv.h>
#include <float.h>
#include <math.h>

#include "show.h"

static void flags(const char *what) {
  int raised = fetestexcept(FE_ALL_EXCEPT);
  printf("%s:%s%s%s%s%s\n", what, raised & FE_INVALID ? " invalid" : "", raised & FE_DIVBYZERO ? " divbyzero" : "",
         raised & FE_OVERFLOW ? " overflow" : "", raised & FE_UNDERFLOW ? " underflow" : "", raised & FE_INEXACT ? " inexact" : "");
  feclearexcept(FE_ALL_EXCEPT);
}

#define TRY(expression) ((void)(result = (expression)), flags(#expression))

#define IN(name, type, suffix, max, min, root, rounded, integral) \
  static void name(void) { \
    volatile type zero = 0, one = 1, three = 3, half = 0.5, big = max, small = min, nan = NAN, inf = INFINITY, many = 1e10, two = 2; \
    volatile type result; \
    volatile int integer; \
    volatile long wide; \
    printf(#type "\n"); \
    TRY(one + one); TRY(one / three); TRY(one / zero); TRY(-one / zero); TRY(zero / zero); TRY(inf - inf); TRY(inf * zero); TRY(inf / inf); \
    TRY(inf + one); TRY(nan + one); TRY(big + big); TRY(big * big); TRY(small / two); TRY(small * small); TRY(small / three); TRY(big + one); \
    TRY(one - half); TRY(inf / zero); TRY(root(two)); TRY(root(one + three)); TRY(root(-one)); TRY(root(inf)); TRY(root(-zero)); \
    TRY(rounded(half)); TRY(rounded(three)); TRY(integral(half)); TRY(integral(nan)); \
    integer = (int)three, flags("int of 3"); integer = (int)half, flags("int of 0.5"); integer = (int)many, flags("int of 1e10"); \
    integer = (int)nan, flags("int of nan"); wide = (long)many, flags("long of 1e10"); wide = (long)inf, flags("long of inf"); \
    integer = one < three, flags("<"); integer = one < nan, flags("< nan"); integer = one == nan, flags("== nan"); integer = one >= nan, flags(">= nan"); \
    integer = 16777217, result = integer, flags("of 16777217"); wide = 0x7fffffffffffffff, result = wide, flags("of LONG_MAX"); \
  }
IN(in_float, float, f, FLT_MAX, FLT_MIN, sqrtf, rintf, nearbyintf)
IN(in_double, double, , DBL_MAX, DBL_MIN, sqrt, rint, nearbyint)
IN(in_long_double, long double, l, LDBL_MAX, LDBL_MIN, sqrtl, rintl, nearbyintl)

static void conversions(void) {
  volatile double tenth = 0.1, large = 1e300, tiny = 1e-310, exact = 0.75, d;
  volatile long double longer = 1.0L / 3, longest = 1e4000L;
  volatile float f;
  flags("before");
  f = tenth, flags("0.1 to float"); f = large, flags("1e300 to float"); f = tiny, flags("1e-310 to float"); f = exact, flags("0.75 to float");
  d = longer, flags("third to double"); d = longest, flags("1e4000 to double"); d = f, flags("float to double");
  volatile double x = 3, y = 0.1;
  d = fma(x, y, y), flags("fma"); d = fmod(x, 0 * y), flags("fmod by 0"); feclearexcept(FE_ALL_EXCEPT); d = fmod(x, 2), flags("fmod");
}

int main(void) {
  volatile double one = 1, three = 3, zero = 0, r;
  fexcept_t saved;
  fenv_t environment;
  in_float(), in_double(), in_long_double(), conversions();

  r = one / three;
  SHOW(fetestexcept(FE_INEXACT) != 0);
  SHOW(fetestexcept(FE_DIVBYZERO | FE_INVALID));
  CALL(fegetexceptflag(&saved, FE_ALL_EXCEPT));
  CALL(feclearexcept(FE_INEXACT));
  SHOW(fetestexcept(FE_ALL_EXCEPT));
  CALL(fesetexceptflag(&saved, FE_INEXACT));
  SHOW(fetestexcept(FE_ALL_EXCEPT) == FE_INEXACT);
  CALL(feraiseexcept(FE_DIVBYZERO | FE_INVALID));
  flags("raised");
  r = one / zero;
  CALL(feholdexcept(&environment));
  flags("held");
  r = one / three;
  CALL(feupdateenv(&environment));
  flags("updated");
  r = one / zero;
  CALL(fegetenv(&environment));
  feclearexcept(FE_ALL_EXCEPT);
  CALL(fesetenv(&environment));
  flags("set");
  r = one / three;
  CALL(fesetenv(FE_DFL_ENV));
  flags("default");
  fesetround(FE_UPWARD);
  r = one / three;
  flags("upward");
  SHOW(r > 1.0 / 3);
  fesetround(FE_TONEAREST);
  SHOW(lrint(2.5)); flags("lrint");
  return 0;
}
