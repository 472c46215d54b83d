/* Rounding, absolute value and square root as single operations of LLVM, which the executor computes exactly,
 * instead of bit manipulation over the representation. */
#define ROUNDING(name) \
	double name(double x) { return __builtin_##name(x); } \
	float name##f(float x) { return __builtin_##name##f(x); } \
	long double name##l(long double x) { return __builtin_##name##l(x); }

ROUNDING(ceil)
ROUNDING(floor)
ROUNDING(trunc)
ROUNDING(rint)
ROUNDING(nearbyint)
ROUNDING(fabs)
ROUNDING(sqrt)
