/* C23's functions of <math.h> that musl lacks: extremes, orders, payloads of what is no number. */
#include <complex.h>
#include <errno.h>
#include <fenv.h>
#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

#define TYPES(define) define(double, , ) define(float, f, f) define(long double, l, l)

/* Of two equal numbers, the negative zero is the smaller one. What is no number wins, or gives way to a number (_num). */
#define EXTREMES(T, s, ignored) \
	T fmaximum##s(T x, T y) { return x > y ? x : y > x ? y : x == y ? (signbit(x) ? y : x) : x + y; } \
	T fminimum##s(T x, T y) { return x < y ? x : y < x ? y : x == y ? (signbit(x) ? x : y) : x + y; } \
	T fmaximum_num##s(T x, T y) { return y != y ? (x != x ? x + y : x) : x != x ? y : fmaximum##s(x, y); } \
	T fminimum_num##s(T x, T y) { return y != y ? (x != x ? x + y : x) : x != x ? y : fminimum##s(x, y); } \
	T fmaximum_mag##s(T x, T y) { return fabs##s(x) > fabs##s(y) ? x : fabs##s(y) > fabs##s(x) ? y : fmaximum##s(x, y); } \
	T fminimum_mag##s(T x, T y) { return fabs##s(x) < fabs##s(y) ? x : fabs##s(y) < fabs##s(x) ? y : fminimum##s(x, y); } \
	T fmaximum_mag_num##s(T x, T y) { return fabs##s(x) > fabs##s(y) ? x : fabs##s(y) > fabs##s(x) ? y : fmaximum_num##s(x, y); } \
	T fminimum_mag_num##s(T x, T y) { return fabs##s(x) < fabs##s(y) ? x : fabs##s(y) < fabs##s(x) ? y : fminimum_num##s(x, y); } \
	T fmaxmag##s(T x, T y) { return fabs##s(x) > fabs##s(y) ? x : fabs##s(y) > fabs##s(x) ? y : fmax##s(x, y); } \
	T fminmag##s(T x, T y) { return fabs##s(x) < fabs##s(y) ? x : fabs##s(y) < fabs##s(x) ? y : fmin##s(x, y); }
TYPES(EXTREMES)

#define EXPONENT(T, s, ignored) \
	long llogb##s(T x) \
	{ \
		int exponent = ilogb##s(x); \
		return exponent == INT_MAX ? LONG_MAX : exponent == INT_MIN ? LONG_MIN : exponent; \
	} \
	int canonicalize##s(T *to, const T *from) { return *to = *from, 0; } \
	T _Complex clog10##s(T _Complex z) \
	{ \
		T _Complex natural = clog##s(z); \
		return __builtin_complex(log10##s(cabs##s(z)), (T)(cimag##s(natural) * 0.43429448190325182765112891891660508229L)); \
	}
TYPES(EXPONENT)

/* The bits of a number as a sign and a magnitude. */
struct order { int sign; uint64_t high, low; };
static struct order order_of(const double *x)
{
	uint64_t bits;
	memcpy(&bits, x, sizeof bits);
	return (struct order){ bits >> 63, 0, bits << 1 >> 1 };
}
static struct order order_off(const float *x)
{
	uint32_t bits;
	memcpy(&bits, x, sizeof bits);
	return (struct order){ bits >> 31, 0, bits << 1 >> 1 };
}
static struct order order_ofl(const long double *x)
{
	struct { uint64_t mantissa; uint16_t exponent; } bits;
	memcpy(&bits, x, 10);
	return (struct order){ bits.exponent >> 15, bits.exponent & 0x7fff, bits.mantissa };
}

static int is_not_above(struct order x, struct order y)
{
	int is_larger = x.high != y.high ? x.high > y.high : x.low > y.low, is_equal = x.high == y.high && x.low == y.low;
	if (x.sign != y.sign) return x.sign;
	return is_equal || is_larger == x.sign;
}

#define ORDER(T, s, ignored) \
	int totalorder##s(const T *x, const T *y) { return is_not_above(order_of##s(x), order_of##s(y)); } \
	int totalordermag##s(const T *x, const T *y) \
	{ \
		struct order a = order_of##s(x), b = order_of##s(y); \
		a.sign = b.sign = 0; \
		return is_not_above(a, b); \
	}
TYPES(ORDER)

/* The bits of a payload: the mantissa below its first bit, which marks a quiet NaN. */
#define PAYLOADS(T, s, BITS, Word, QUIET) \
	T getpayload##s(const T *x) \
	{ \
		Word bits; \
		memcpy(&bits, x, sizeof bits); \
		return *x == *x ? -1 : (T)(bits & (((Word)1 << BITS) - 1)); \
	} \
	static int put_payload##s(T *to, T payload, int is_quiet) \
	{ \
		Word bits = payload >= 0 && payload < (Word)1 << BITS ? (Word)payload : 0; \
		*to = 0; \
		if ((T)bits != payload || signbit(payload) || (!is_quiet && !bits)) return 1; \
		*to = __builtin_nan(""); \
		bits |= QUIET | (is_quiet ? (Word)1 << BITS : 0); \
		memcpy(to, &bits, sizeof bits); \
		return 0; \
	} \
	int setpayload##s(T *to, T payload) { return put_payload##s(to, payload, 1); } \
	int setpayloadsig##s(T *to, T payload) { return put_payload##s(to, payload, 0); }
PAYLOADS(double, , 51, uint64_t, 0x7ff0000000000000)
PAYLOADS(float, f, 22, uint32_t, 0x7f800000)
PAYLOADS(long double, l, 62, uint64_t, 0x8000000000000000)

double gamma(double x) { return lgamma(x); }
float gammaf(float x) { return lgammaf(x); }
long double gammal(long double x) { return lgammal(x); }
long double significandl(long double x)
{
	return x == 0 || x - x != 0 ? x : scalbnl(x, -ilogbl(x));
}

int fesetexcept(int exceptions) { return feraiseexcept(exceptions); }
int fetestexceptflag(const fexcept_t *flags, int exceptions) { return *flags & exceptions; }
