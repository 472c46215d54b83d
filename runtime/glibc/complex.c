/* Products and quotients of complex numbers, which compilers call (natively in their library): C's Annex G, so that
 * infinities stay infinities where the plain formulas give NaN. */
#include <complex.h>
#include <float.h>
#include <math.h>

#define MAKE(type, real, imaginary) __builtin_complex((type)(real), (type)(imaginary))
/* An infinity as one, anything else as nothing, with its sign. */
#define BOXED(copysign, x) copysign(isinf(x) ? 1 : 0, x)
#define SIGNED_ZERO(copysign, x) (isnan(x) ? copysign(0, x) : (x))

#define PRODUCT(name, type, copysign) \
	type _Complex name(type a, type b, type c, type d) \
	{ \
		type ac = a * c, bd = b * d, ad = a * d, bc = b * c, x = ac - bd, y = ad + bc; \
		if (isnan(x) && isnan(y)) { \
			int again = 0; \
			if (isinf(a) || isinf(b)) { \
				a = BOXED(copysign, a), b = BOXED(copysign, b); \
				c = SIGNED_ZERO(copysign, c), d = SIGNED_ZERO(copysign, d); \
				again = 1; \
			} \
			if (isinf(c) || isinf(d)) { \
				c = BOXED(copysign, c), d = BOXED(copysign, d); \
				a = SIGNED_ZERO(copysign, a), b = SIGNED_ZERO(copysign, b); \
				again = 1; \
			} \
			if (!again && (isinf(ac) || isinf(bd) || isinf(ad) || isinf(bc))) { \
				a = SIGNED_ZERO(copysign, a), b = SIGNED_ZERO(copysign, b); \
				c = SIGNED_ZERO(copysign, c), d = SIGNED_ZERO(copysign, d); \
				again = 1; \
			} \
			if (again) x = (type)INFINITY * (a * c - b * d), y = (type)INFINITY * (a * d + b * c); \
		} \
		return MAKE(type, x, y); \
	}

/* Repairs a NaN if the true quotient is a zero or infinite, as in C's Annex G. */
#define REPAIRED(type, copysign) \
		if (isnan(x) && isnan(y)) { \
			if (c == 0 && d == 0 && (!isnan(a) || !isnan(b))) { \
				x = copysign((type)INFINITY, c) * a, y = copysign((type)INFINITY, c) * b; \
			} else if ((isinf(a) || isinf(b)) && isfinite(c) && isfinite(d)) { \
				a = BOXED(copysign, a), b = BOXED(copysign, b); \
				x = (type)INFINITY * (a * c + b * d), y = (type)INFINITY * (b * c - a * d); \
			} else if ((isinf(c) || isinf(d)) && isfinite(a) && isfinite(b)) { \
				c = BOXED(copysign, c), d = BOXED(copysign, d); \
				x = 0 * (a * c + b * d), y = 0 * (b * c - a * d); \
			} \
		}

/* libgcc (from version 12 on), whose last bits natively compiled programs show: floats in double precision, the others by
 * Smith's method, with operands near the ends of the format scaled by powers of two, and with the products in another order where
 * the ratio of the divisor's parts is subnormal. */
float _Complex __divsc3(float a, float b, float c, float d)
{
	double norm = (double)c * c + (double)d * d;
	float x = ((double)a * c + (double)b * d) / norm, y = ((double)b * c - (double)a * d) / norm;
	REPAIRED(float, copysignf)
	return MAKE(float, x, y);
}

#define SCALED(by) a *= (by), b *= (by), c *= (by), d *= (by)
#define QUOTIENT(name, type, copysign, fabs, MOST, LEAST, STEP) \
	type _Complex name(type a, type b, type c, type d) \
	{ \
		const int steep = fabs(c) < fabs(d); \
		type large = steep ? d : c, small, ratio, norm, x, y; \
		if (fabs(large) >= MOST / 2) SCALED((type)0.5); \
		large = steep ? d : c; \
		if (fabs(large) < STEP) SCALED(1 / STEP); \
		else if ((fabs(a) < LEAST && fabs(b) < MOST / 2 * STEP && fabs(large) < MOST / 2 * STEP) || \
		         (fabs(b) < LEAST && fabs(a) < MOST / 2 * STEP && fabs(large) < MOST / 2 * STEP)) SCALED(1 / STEP); \
		large = steep ? d : c, small = steep ? c : d; \
		ratio = small / large; \
		norm = small * ratio + large; \
		if (fabs(ratio) > LEAST) { \
			x = steep ? a * ratio + b : b * ratio + a; \
			y = steep ? b * ratio - a : b - a * ratio; \
		} else { \
			x = steep ? c * (a / d) + b : d * (b / c) + a; \
			y = steep ? c * (b / d) - a : b - d * (a / c); \
		} \
		x /= norm, y /= norm; \
		REPAIRED(type, copysign) \
		return MAKE(type, x, y); \
	}

PRODUCT(__mulsc3, float, copysignf)
PRODUCT(__muldc3, double, copysign)
PRODUCT(__mulxc3, long double, copysignl)
QUOTIENT(__divdc3, double, copysign, fabs, DBL_MAX, DBL_MIN, DBL_EPSILON)
QUOTIENT(__divxc3, long double, copysignl, fabsl, LDBL_MAX, LDBL_MIN, LDBL_EPSILON)
