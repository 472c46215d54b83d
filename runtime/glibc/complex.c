/* What compilers call for products and quotients of complex numbers (their own library has it natively): C's Annex G, so that
 * infinities stay infinities where the plain formulas give NaN. */
#include <complex.h>
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

/* The divisor is scaled by a power of two first, so that its square neither overflows nor vanishes. */
#define QUOTIENT(name, type, copysign, logb, scalbn, fmax, fabs) \
	type _Complex name(type a, type b, type c, type d) \
	{ \
		type scale = logb(fmax(fabs(c), fabs(d))), norm, x, y; \
		int by = 0; \
		if (isfinite(scale)) { \
			by = (int)scale; \
			c = scalbn(c, -by), d = scalbn(d, -by); \
		} \
		norm = c * c + d * d; \
		x = scalbn((a * c + b * d) / norm, -by); \
		y = scalbn((b * c - a * d) / norm, -by); \
		if (isnan(x) && isnan(y)) { \
			if (norm == 0 && (!isnan(a) || !isnan(b))) { \
				x = copysign((type)INFINITY, c) * a, y = copysign((type)INFINITY, c) * b; \
			} else if ((isinf(a) || isinf(b)) && isfinite(c) && isfinite(d)) { \
				a = BOXED(copysign, a), b = BOXED(copysign, b); \
				x = (type)INFINITY * (a * c + b * d), y = (type)INFINITY * (b * c - a * d); \
			} else if (isinf(scale) && scale > 0 && isfinite(a) && isfinite(b)) { \
				c = BOXED(copysign, c), d = BOXED(copysign, d); \
				x = 0 * (a * c + b * d), y = 0 * (b * c - a * d); \
			} \
		} \
		return MAKE(type, x, y); \
	}

PRODUCT(__mulsc3, float, copysignf)
PRODUCT(__muldc3, double, copysign)
PRODUCT(__mulxc3, long double, copysignl)
QUOTIENT(__divsc3, float, copysignf, logbf, scalbnf, fmaxf, fabsf)
QUOTIENT(__divdc3, double, copysign, logb, scalbn, fmax, fabs)
QUOTIENT(__divxc3, long double, copysignl, logbl, scalbnl, fmaxl, fabsl)
