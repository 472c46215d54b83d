/* Short decimal numbers in one multiplication or division. musl's general way scales groups of nine digits bit by bit, with
 * comparisons in each round; over symbolic digits that is hundreds of forks and terms that no solver likes.
 *
 * Both operands are exact here (up to 15 digits and 10^22 in double, 19 digits and 10^27 in long double), so the
 * result is rounded once and is what the general way gives in every rounding mode. A float is made of
 * a double; where that lies half way between two floats a second rounding could go wrong, and the general way decides. */

/* A number is 0.ddd times ten to the power of its point's place; beyond these places every number overflows, or is
 * less than half of the least one. */
#define HOMI_LARGEST_POINT(bits) ((bits) == FLT_MANT_DIG ? 39 : (bits) == DBL_MANT_DIG ? 309 : 4933)
#define HOMI_SMALLEST_POINT(bits) ((bits) == FLT_MANT_DIG ? -45 : (bits) == DBL_MANT_DIG ? -323 : -4950)

unsigned long long homi_concretize(unsigned long long);

/* Numbers that are not short get one value per path. */
static long long homi_one_value(uint32_t *group, int count, long long point)
{
	int i;
	for (i = 0; i < count; i++) group[i] = homi_concretize(group[i]);
	return (long long)homi_concretize(point);
}

/* True if the number is short; then its value. The exponent forks over its values, so that each path has a constant factor. */
static int homi_short_decimal(const uint32_t *group, long long digits, long long exponent, int bits, int sign, long double *result)
{
	static const double tens[] = {1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11,
		1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
	static const long double long_tens[] = {1e0L, 1e1L, 1e2L, 1e3L, 1e4L, 1e5L, 1e6L, 1e7L, 1e8L, 1e9L,
		1e10L, 1e11L, 1e12L, 1e13L, 1e14L, 1e15L, 1e16L, 1e17L, 1e18L, 1e19L, 1e20L, 1e21L, 1e22L, 1e23L,
		1e24L, 1e25L, 1e26L, 1e27L};
	const int is_long = bits == LDBL_MANT_DIG;
	const int most = is_long ? 27 : 22;
	uint64_t whole = 0;
	int i, power;
	if (digits > (is_long ? 19 : 15) || exponent < -most || exponent > most) return 0;
	for (power = 0; exponent != power && exponent != -power; power++);
	for (i = 0; digits > 0; i++, digits -= 9) {
		int k, scale = 1;
		for (k = 0; k < 9 && k < digits; k++) scale *= 10;
		whole = whole * scale + group[i];
	}
	if (is_long) {
		long double value = sign < 0 ? -(long double)whole : (long double)whole;
		if (exponent < 0) value /= long_tens[power];
		else if (power) value *= long_tens[power];
		*result = value;
	} else {
		union { double f; uint64_t i; } value = {(double)(sign < 0 ? -(long long)whole : (long long)whole)};
		if (exponent < 0) value.f /= tens[power];
		else if (power) value.f *= tens[power];
		if (bits == FLT_MANT_DIG && (value.i & 0x1fffffff) == 0x10000000) return 0;
		*result = value.f;
	}
	return 1;
}
