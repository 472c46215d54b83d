/* Sines and cosines of an angle in half turns (C23's sinpi and cospi), which glibc has since 2.41.
 *
 * Idea: what is left of the angle beyond whole quarter turns is exact, and at most an eighth of a turn is
 * multiplied by pi. So whole and half numbers give 0, 1 and -1 exactly, zeros with C23's signs. */
#include <math.h>

#define PI_LONG 3.14159265358979323846264338327950288L

#define HALF_TURNS(type, suffix) \
	type sinpi##suffix(type x) { \
		type whole = __builtin_round##suffix(2 * x), rest; \
		int quarter; \
		if (!isfinite(x)) return x - x; \
		if (x == __builtin_trunc##suffix(x)) return __builtin_copysign##suffix(0, x); \
		rest = (x - whole / 2) * (type)PI_LONG; \
		quarter = (int)(whole - 4 * __builtin_floor##suffix(whole / 4)); \
		if (quarter == 0) return sin##suffix(rest); \
		if (quarter == 1) return cos##suffix(rest); \
		if (quarter == 2) return -sin##suffix(rest); \
		return -cos##suffix(rest); \
	} \
	type cospi##suffix(type x) { \
		type whole = __builtin_round##suffix(2 * x), rest; \
		int quarter; \
		if (!isfinite(x)) return x - x; \
		rest = (x - whole / 2) * (type)PI_LONG; \
		quarter = (int)(whole - 4 * __builtin_floor##suffix(whole / 4)); \
		if (quarter == 0) return cos##suffix(rest); \
		if (quarter == 1) return rest == 0 ? 0 : -sin##suffix(rest); \
		if (quarter == 2) return -cos##suffix(rest); \
		return rest == 0 ? 0 : sin##suffix(rest); \
	}

HALF_TURNS(double, )
HALF_TURNS(float, f)
HALF_TURNS(long double, l)
