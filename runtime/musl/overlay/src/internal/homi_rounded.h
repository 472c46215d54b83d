/* The last step from text to a floating-point number, in integers: musl's sums of long doubles lose the sign of what
 * rounds to zero and the errors of overflow by rounding, and tell a number that rounds up to the least normal one from
 * a subnormal number only for some. */

/* Bits without the lowest ones, rounded; quarters is what lies below them: 0, less than a half (1), a half, more (3). */
struct homi_kept {
	uint64_t bits;
	int carry, inexact;
};

static struct homi_kept homi_keep(uint64_t whole, int quarters, int drop, int sign)
{
	struct homi_kept kept = {whole};
	int up = 0;
	if (drop > 0) {
		uint64_t half = drop > 64 ? 0 : whole >> (drop - 1) & 1;
		int rest = quarters != 0 | (drop > 64 ? whole : whole & (((uint64_t)1 << (drop - 1)) - 1)) != 0;
		quarters = 2 * half + rest;
		kept.bits = drop > 63 ? 0 : whole >> drop;
	}
	if (quarters) {
		/* The machine's own addition knows the direction of rounding. */
		long double above = sign * (0x1p63L + (kept.bits & 1));
		up = above + sign * quarters * 0.25L != above;
	}
	kept.bits += up;
	kept.carry = up && !kept.bits;
	kept.inexact = quarters != 0;
	return kept;
}

/* whole is at least 2^63. The number is whole and the quarters times 2^exponent; bits and least (the exponent of the
 * least subnormal number) tell its type. As on x86, a number is tiny if it were so with an unlimited exponent. */
static long double homi_rounded(uint64_t whole, int quarters, int exponent, int bits, int least, int sign)
{
	int most = -least - bits + 3, drop = LDBL_MANT_DIG - bits;
	struct homi_kept kept = homi_keep(whole, quarters, drop, sign);
	int is_next = kept.carry || (drop && kept.bits >> bits);
	if (exponent + 64 + is_next > most) {
		errno = ERANGE;
		return sign * LDBL_MAX * LDBL_MAX;
	}
	if (exponent + 64 + is_next < least + bits) {
		/* As glibc 2.36, which forgets the bit by which a normal number would be rounded. */
		if (drop) whole &= ~((uint64_t)1 << (drop - 1));
		else quarters &= 1;
		drop = least - exponent;
		kept = homi_keep(whole, quarters, drop, sign);
		if (kept.inexact) errno = ERANGE;
	}
	if (kept.carry) return scalbnl(sign * 0x1p64L, exponent);
	return scalbnl(sign < 0 ? -(long double)kept.bits : (long double)kept.bits, exponent + drop);
}
