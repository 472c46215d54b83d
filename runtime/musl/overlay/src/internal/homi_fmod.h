/* fmod of a width whose pattern is an integer of at most 64 bits. A power of two divides by clearing bits: what is left of
 * x below the divisor's exponent is x minus x without these bits, which is exact. So a symbolic x costs one
 * subtraction instead of a round of musl's loop for each binary digit. Anything else is one instruction of the engine. */
#define HOMI_FMOD(name, type, bits_type, fraction_bits, exponent_mask, remainder, with_sign) \
	type name(type x, type y) \
	{ \
		union { type f; bits_type i; } ux = {x}, uy = {y}; \
		const bits_type fraction = ((bits_type)1 << fraction_bits) - 1; \
		int ex = ux.i >> fraction_bits & exponent_mask, ey = uy.i >> fraction_bits & exponent_mask; \
		if ((uy.i & fraction) || !ey || ey == exponent_mask || ex == exponent_mask) return remainder(x, y); \
		if (ex < ey) return x; \
		if (ex - ey < fraction_bits) ux.i &= ~(fraction >> (ex - ey)); \
		return with_sign(x - ux.f, x); \
	}
