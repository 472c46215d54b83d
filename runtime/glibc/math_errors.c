/* errno of mathematical functions. musl's set none: libc.mk gives them names that begin with __homi_. */
#include <errno.h>
#include <math.h>

/* For double and float. What is seldom used sets errno for double only, long double never. */
#define TYPES(define, name, error) \
	define(double, name, error) \
	define(float, name##f, error)

#define ONE_(T, name, error) \
	T __homi_##name(T); \
	T name(T x) { T r = __homi_##name(x); int e = (error); if (e) errno = e; return r; }
#define TWO_(T, name, error) \
	T __homi_##name(T, T); \
	T name(T x, T y) { T r = __homi_##name(x, y); int e = (error); if (e) errno = e; return r; }
#define SCALED_(T, name, error) \
	T __homi_##name(T, int); \
	T name(T x, int n) { T r = __homi_##name(x, n); int e = (error); if (e) errno = e; return r; }
#define ONE(name, error) TYPES(ONE_, name, error)
#define TWO(name, error) TYPES(TWO_, name, error)
#define SCALED(name, error) TYPES(SCALED_, name, error)

#define FINITE(x) ((x) - (x) == 0)
#define TOO_LARGE (!FINITE(r) && FINITE(x) ? ERANGE : 0)
#define NOT_IN_RANGE ((!FINITE(r) || r == 0) && FINITE(x) ? ERANGE : 0)
#define OUT_OF_RANGE (FINITE(x) && (!FINITE(r) || (r == 0 && x != 0)) ? ERANGE : 0)
#define POLE(least) (x < (least) ? EDOM : x == (least) ? ERANGE : 0)

ONE(acos, x > 1 || x < -1 ? EDOM : 0)
ONE(asin, x > 1 || x < -1 ? EDOM : 0)
ONE_(double, acosh, x < 1 ? EDOM : 0)
ONE_(double, atanh, x > 1 || x < -1 ? EDOM : x == 1 || x == -1 ? ERANGE : 0)
ONE_(double, cosh, TOO_LARGE)
ONE_(double, sinh, TOO_LARGE)
ONE_(double, expm1, TOO_LARGE)
ONE(exp, NOT_IN_RANGE)
ONE(exp2, NOT_IN_RANGE)
ONE_(double, exp10, NOT_IN_RANGE)
ONE(log, POLE(0))
ONE(log2, POLE(0))
ONE(log10, POLE(0))
ONE_(double, log1p, POLE(-1))
ONE(sqrt, x < 0 ? EDOM : 0)
ONE(sin, x == x && !FINITE(x) ? EDOM : 0)
ONE(cos, x == x && !FINITE(x) ? EDOM : 0)
ONE(tan, x == x && !FINITE(x) ? EDOM : 0)
ONE_(double, lgamma, TOO_LARGE)
ONE_(double, tgamma, x == 0 || (r == 0 && FINITE(x)) ? ERANGE : r != r && x == x ? EDOM : TOO_LARGE)
TWO(fmod, x == x && y == y && (!FINITE(x) || y == 0) ? EDOM : 0)
TWO(remainder, x == x && y == y && (!FINITE(x) || y == 0) ? EDOM : 0)
TWO(hypot, FINITE(y) ? TOO_LARGE : 0)
TWO_(double, fdim, FINITE(y) ? TOO_LARGE : 0)
TWO(pow, !FINITE(x) || !FINITE(y) ? 0 : r != r ? EDOM : !FINITE(r) || (r == 0 && x != 0) ? ERANGE : 0)
SCALED(ldexp, OUT_OF_RANGE)
SCALED_(double, scalbn, OUT_OF_RANGE)
ONE_(double, y0, POLE(0))
ONE_(double, y1, POLE(0))
double __homi_yn(int, double);
double yn(int n, double x) { int e = POLE(0); double r = __homi_yn(n, x); if (e) errno = e; return r; }
double drem(double x, double y) { return remainder(x, y); }
float dremf(float x, float y) { return remainderf(x, y); }
long double dreml(long double x, long double y) { return remainderl(x, y); }
