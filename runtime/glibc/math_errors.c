/* errno of mathematical functions, and the sign of a result that is no number. musl sets no errno: libc.mk gives its
 * functions names that begin with __homi_. */
#include <errno.h>
#include <math.h>

#define TYPES(define, name, ...) \
	define(double, name, __VA_ARGS__) \
	define(float, name##f, __VA_ARGS__) \
	define(long double, name##l, __VA_ARGS__)

#define PLUS __builtin_nan("")
#define MINUS (-__builtin_nan(""))

#define ONE_(T, name, no_number, error) \
	T __homi_##name(T); \
	T name(T x) { T r = __homi_##name(x); int e = (error); if (e) errno = e; if (e == EDOM) r = no_number; return r; }
#define TWO_(T, name, error) \
	T __homi_##name(T, T); \
	T name(T x, T y) { T r = __homi_##name(x, y); int e = (error); if (e) errno = e; if (e == EDOM) r = MINUS; return r; }
#define SCALED_(T, name, N, error) \
	T __homi_##name(T, N); \
	T name(T x, N n) { T r = __homi_##name(x, n); int e = (error); if (e) errno = e; return r; }
#define ONE(name, no_number, error) TYPES(ONE_, name, no_number, error)
#define TWO(name, error) TYPES(TWO_, name, error)
#define SCALED(name, N, error) TYPES(SCALED_, name, N, error)

#define FINITE(x) ((x) - (x) == 0)
#define TOO_LARGE (!FINITE(r) && FINITE(x) ? ERANGE : 0)
#define NOT_IN_RANGE ((!FINITE(r) || r == 0) && FINITE(x) ? ERANGE : 0)
#define OUT_OF_RANGE (FINITE(x) && (!FINITE(r) || (r == 0 && x != 0)) ? ERANGE : 0)
/* Without a comparison by order, which raises an exception for a NaN. */
#define NO_NUMBER (r != r && x == x ? EDOM : 0)
#define POLE(least) (NO_NUMBER ? EDOM : x == (least) ? ERANGE : 0)

ONE(acos, PLUS, NO_NUMBER)
ONE(asin, PLUS, NO_NUMBER)
ONE(acosh, MINUS, NO_NUMBER)
ONE(atanh, MINUS, NO_NUMBER ? EDOM : x == 1 || x == -1 ? ERANGE : 0)
ONE(expm1, PLUS, TOO_LARGE)
ONE(exp, PLUS, NOT_IN_RANGE)
ONE(exp2, PLUS, NOT_IN_RANGE)
ONE(exp10, PLUS, NOT_IN_RANGE)
ONE_(double, log, MINUS, POLE(0))
ONE_(float, logf, MINUS, POLE(0))
ONE_(long double, logl, PLUS, POLE(0))
ONE_(double, log2, MINUS, POLE(0))
ONE_(float, log2f, MINUS, POLE(0))
ONE_(long double, log2l, PLUS, POLE(0))
ONE(log10, PLUS, POLE(0))
ONE(log1p, MINUS, POLE(-1))
ONE(sqrt, MINUS, NO_NUMBER)
ONE(sin, MINUS, x == x && !FINITE(x) ? EDOM : 0)
ONE(cos, MINUS, x == x && !FINITE(x) ? EDOM : 0)
ONE(tan, MINUS, x == x && !FINITE(x) ? EDOM : 0)
ONE(erfc, PLUS, r == 0 && FINITE(x) ? ERANGE : 0)
ONE(lgamma, PLUS, TOO_LARGE)
ONE(tgamma, PLUS, x == 0 || (r == 0 && FINITE(x)) ? ERANGE : r != r && x == x ? EDOM : TOO_LARGE)
TWO(atan2, r == 0 && x != 0 && FINITE(y) ? ERANGE : 0)
TWO(fmod, x == x && y == y && (!FINITE(x) || y == 0) ? EDOM : 0)
/* The processor's instruction looks at the second factor first, then at the other one. */
#define FUSED(T, name) \
	T __homi_##name(T, T, T); \
	T name(T x, T y, T z) \
	{ \
		return y != y ? y + y : x != x ? x + x : z != z ? z + z : __homi_##name(x, y, z); \
	}
FUSED(double, fma)
FUSED(float, fmaf)
#define BY(x, y) (x == x && y == y && (!FINITE(x) || y == 0) ? EDOM : 0)
/* Of two NaNs, the double of remainder is the second one. */
double __homi_remainder(double, double);
double remainder(double x, double y)
{
	double r = y == y ? __homi_remainder(x, y) : y + y;
	if (BY(x, y)) errno = EDOM, r = MINUS;
	return r;
}
TWO_(float, remainderf, BY(x, y))
TWO_(long double, remainderl, BY(x, y))
TWO(fdim, FINITE(y) ? TOO_LARGE : 0)
TWO(pow, !FINITE(x) || !FINITE(y) ? 0 : r != r ? EDOM : !FINITE(r) || (r == 0 && x != 0) ? ERANGE : 0)
SCALED(ldexp, int, OUT_OF_RANGE)
SCALED(scalbn, int, OUT_OF_RANGE)
SCALED(scalbln, long, OUT_OF_RANGE)

/* The sign of an argument that is no number is the result's, which musl squares. */
#define KEPT_(T, name, error) \
	T __homi_##name(T); \
	T name(T x) { T r; if (x != x) return x; r = __homi_##name(x); int e = (error); if (e) errno = e; return r; }
TYPES(KEPT_, cosh, TOO_LARGE)
TYPES(KEPT_, sinh, TOO_LARGE)
#define HYPOT(T, name, infinite) \
	T __homi_##name(T, T); \
	T name(T x, T y) \
	{ \
		T r = __homi_##name(x, y); \
		if (r != r) return x != x ? x : y; \
		if (!FINITE(r) && FINITE(x) && FINITE(y)) errno = ERANGE; \
		return r; \
	}
TYPES(HYPOT, hypot, 0)

/* The neighbor of a number is out of range where it is subnormal, zero or infinite. */
#define NEXT(T, name, least) \
	T __homi_##name(T, T); \
	T name(T x, T y) \
	{ \
		T r = __homi_##name(x, y); \
		if (x != y && x != 0 && FINITE(x) && y == y && ((r < least && r > -least) || !FINITE(r))) errno = ERANGE; \
		return r; \
	}
NEXT(double, nextafter, 0x1p-1022)
NEXT(float, nextafterf, 0x1p-126f)
NEXT(long double, nextafterl, 0x1p-16382L)

#define ILOGB(T, name, ignored) \
	int __homi_##name(T); \
	int name(T x) { if (x == 0 || !FINITE(x)) errno = EDOM; return __homi_##name(x); }
TYPES(ILOGB, ilogb, 0)

#define SECOND(T, name) \
	T __homi_##name(T); \
	T name(T x) \
	{ \
		if (x != x) return x; \
		int e = x < 0 ? EDOM : x == 0 ? ERANGE : 0; \
		if (e) errno = e; \
		return e == EDOM ? PLUS : __homi_##name(x); \
	}
#define SECOND_KIND(T, suffix) \
	SECOND(T, y0##suffix) \
	SECOND(T, y1##suffix) \
	T __homi_yn##suffix(int, T); \
	T yn##suffix(int n, T x) \
	{ \
		T r = __homi_yn##suffix(n, x); \
		int e = x < 0 ? EDOM : x == 0 ? ERANGE : 0; \
		if (e) errno = e; \
		return e == EDOM ? PLUS : r; \
	}
SECOND_KIND(double, )
SECOND_KIND(float, f)

double drem(double x, double y) { return remainder(x, y); }
float dremf(float x, float y) { return remainderf(x, y); }
long double dreml(long double x, long double y) { return remainderl(x, y); }
