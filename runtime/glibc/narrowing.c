/* Operations whose result has a narrower type and is rounded once (TS 18661-1), fromfp and its family, iseqsig. The wider
 * result is rounded to odd, that is away from an even last digit if it is not exact: then the conversion rounds as if
 * it had the exact result, in each rounding mode. */
#include <errno.h>
#include <fenv.h>
#include <math.h>
#include <stdint.h>

#define FINITE(x) ((x) - (x) == 0)

enum { FP_INT_UPWARD, FP_INT_DOWNWARD, FP_INT_TOWARDZERO, FP_INT_TONEARESTFROMZERO, FP_INT_TONEAREST };

long double roundevenl(long double);

static double odd(double sum, double error)
{
	union { double number; uint64_t bits; } u = { sum };
	if (error == 0 || error != error || !FINITE(sum) || u.bits & 1) return sum;
	/* A sum of zero has the sign of what it has lost. */
	u.bits += sum == 0 || (error > 0) == (sum > 0) ? 1 : -1;
	return u.number;
}

static long double oddl(long double sum, long double error)
{
	union { long double number; struct { uint64_t digits; uint16_t exponent; } part; } u = { sum };
	if (error == 0 || error != error || !FINITE(sum) || u.part.digits & 1) return sum;
	if (sum == 0 || (error > 0) == (sum > 0)) u.part.digits++;
	else if (u.part.digits-- == (uint64_t)1 << 63 && --u.part.exponent & 0x7fff) u.part.digits |= (uint64_t)1 << 63;
	return u.number;
}

/* Sum, product, quotient, root, and product with sum, rounded to odd. */
#define WIDE(T, s, least) \
	static T error_of_sum##s(T x, T y, T sum) { T z = sum - x; return (x - (sum - z)) + (y - z); } \
	static T plus##s(T x, T y) { T r = x + y; return odd##s(r, error_of_sum##s(x, y, r)); } \
	static T times##s(T x, T y) { T r = x * y; return odd##s(r, fma##s(x, y, -r)); } \
	static T over##s(T x, T y) \
	{ \
		T r = x / y, rest; \
		if (!FINITE(r) || !FINITE(y)) return r; \
		rest = fma##s(-r, y, x); \
		return odd##s(r, y < 0 ? -rest : rest); \
	} \
	static T root##s(T x) { T r = sqrt##s(x); return FINITE(r) ? odd##s(r, fma##s(-r, r, x)) : r; } \
	static T times_plus##s(T x, T y, T z) \
	{ \
		T product = x * y, low, part, sum, rest; \
		low = fma##s(x, y, -product); \
		if (product == 0 && x != 0 && y != 0) product = (x < 0) == (y < 0) ? least : -least, low = 0; \
		part = z + low, sum = product + part; \
		if (!FINITE(sum)) return fma##s(x, y, z); \
		rest = plus##s(error_of_sum##s(z, low, part), error_of_sum##s(product, part, sum)); \
		part = sum + rest; \
		return odd##s(part, error_of_sum##s(sum, rest, part)); \
	}
WIDE(double, , __DBL_DENORM_MIN__)
WIDE(long double, l, __LDBL_DENORM_MIN__)

/* errno of a result: of arguments that are numbers comes none, or of finite ones one that is too large or too small. */
#define TOLD(r, numbers, finite, small) \
	if (!FINITE(r) ? (r) != (r) ? (numbers) : (finite) : (r) == 0 && (small)) \
		errno = (r) != (r) ? EDOM : ERANGE;

#define NARROW(R, p, T, s) \
	R p##add##s(T x, T y) { R r = (R)plus##s(x, y); TOLD(r, x == x && y == y, FINITE(x) && FINITE(y), x != -y) return r; } \
	R p##sub##s(T x, T y) { R r = (R)plus##s(x, -y); TOLD(r, x == x && y == y, FINITE(x) && FINITE(y), x != y) return r; } \
	R p##mul##s(T x, T y) \
	{ \
		R r = (R)times##s(x, y); \
		TOLD(r, x == x && y == y, FINITE(x) && FINITE(y), x != 0 && y != 0) \
		return r; \
	} \
	R p##div##s(T x, T y) \
	{ \
		R r = (R)over##s(x, y); \
		TOLD(r, x == x && y == y, FINITE(x), x != 0 && FINITE(y)) \
		return r; \
	} \
	R p##sqrt##s(T x) { R r = (R)root##s(x); TOLD(r, x == x, FINITE(x), x != 0) return r; } \
	R p##fma##s(T x, T y, T z) { return (R)times_plus##s(x, y, z); }
NARROW(float, f, double, )
NARROW(float, f, long double, l)
NARROW(double, d, long double, l)

/* The names of TS 18661-3; _Float32x is double, _Float64x long double. */
#define SAME(R, T, name, of) R name(T, T) __attribute__((alias(of)));
#define NAMED(R, T, a, b, p, s) \
	SAME(R, T, f##a##addf##b, #p "add" #s) SAME(R, T, f##a##subf##b, #p "sub" #s) \
	SAME(R, T, f##a##mulf##b, #p "mul" #s) SAME(R, T, f##a##divf##b, #p "div" #s) \
	R f##a##sqrtf##b(T) __attribute__((alias(#p "sqrt" #s))); \
	R f##a##fmaf##b(T, T, T) __attribute__((alias(#p "fma" #s)));
NAMED(float, double, 32, 32x, f, )
NAMED(float, double, 32, 64, f, )
NAMED(float, long double, 32, 64x, f, l)
NAMED(double, long double, 32x, 64x, d, l)
NAMED(double, long double, 64, 64x, d, l)

/* Where the number does not fit into the bits, the nearest one that does. */
static intmax_t too_large(int negative, unsigned bits, int is_signed)
{
	feraiseexcept(FE_INVALID);
	errno = EDOM;
	if (!bits || (negative && !is_signed)) return 0;
	if (!is_signed) return (intmax_t)(~(uintmax_t)0 >> (64 - bits));
	uintmax_t least = (uintmax_t)1 << (bits - 1);
	return (intmax_t)(negative ? -least : least - 1);
}

static intmax_t integer(long double x, int direction, unsigned bits, int is_signed, int tells_inexact)
{
	int negative = signbit(x) != 0;
	long double whole;
	if (bits > 64) bits = 64;
	switch (direction) {
	case FP_INT_UPWARD: whole = ceill(x); break;
	case FP_INT_DOWNWARD: whole = floorl(x); break;
	case FP_INT_TOWARDZERO: whole = truncl(x); break;
	case FP_INT_TONEARESTFROMZERO: whole = roundl(x); break;
	default: whole = roundevenl(x);
	}
	if (!bits) return too_large(negative, bits, is_signed);
	long double limit = ldexpl(1, (int)bits - is_signed);
	if (!(whole < limit && whole >= (is_signed ? -limit : 0))) return too_large(negative, bits, is_signed);
	if (tells_inexact && whole != x) feraiseexcept(FE_INEXACT);
	return is_signed ? (intmax_t)whole : (intmax_t)(uintmax_t)whole;
}

#define INTEGERS(T, s) \
	intmax_t fromfp##s(T x, int direction, unsigned bits) { return integer(x, direction, bits, 1, 0); } \
	intmax_t fromfpx##s(T x, int direction, unsigned bits) { return integer(x, direction, bits, 1, 1); } \
	uintmax_t ufromfp##s(T x, int direction, unsigned bits) { return (uintmax_t)integer(x, direction, bits, 0, 0); } \
	uintmax_t ufromfpx##s(T x, int direction, unsigned bits) { return (uintmax_t)integer(x, direction, bits, 0, 1); } \
	int __iseqsig##s(T x, T y) \
	{ \
		if (x != x || y != y) { \
			feraiseexcept(FE_INVALID); \
			errno = EDOM; \
		} \
		return x == y; \
	}
INTEGERS(double, )
INTEGERS(float, f)
INTEGERS(long double, l)
