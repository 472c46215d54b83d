/* Rounding, absolute value and square root as single operations of LLVM, which the executor computes exactly,
 * instead of bit manipulation over the representation. */
#define NAMED(prefix, name) \
	double prefix##name(double x) { return __builtin_##name(x); } \
	float prefix##name##f(float x) { return __builtin_##name##f(x); } \
	long double prefix##name##l(long double x) { return __builtin_##name##l(x); }
#define ROUNDING(name) NAMED(, name)

ROUNDING(ceil)
ROUNDING(floor)
ROUNDING(trunc)
ROUNDING(rint)
ROUNDING(nearbyint)
ROUNDING(fabs)
/* math_errors.c has the roots that set errno. */
NAMED(__homi_, sqrt)

