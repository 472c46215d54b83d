/* "nan(digits)": the digits, which are read as strtoull reads them with base 0, are the low bits of the number; text
 * that is no number belongs to the "nan" all the same. */
struct homi_payload {
	uint64_t value;
	unsigned base;
	int count, is_bad, is_large;
};

static void homi_payload_add(struct homi_payload *payload, int c)
{
	unsigned digit = c - '0' < 10U ? c - '0' : (c | 32) - 'a' < 26U ? (c | 32) - 'a' + 10 : 99;
	int place = payload->count++;
	if (!place) payload->base = digit ? 10 : 8;
	if (place == 1 && payload->base == 8 && digit == 'x' - 'a' + 10) {
		payload->base = 16;
		return;
	}
	if (digit >= payload->base) payload->is_bad = 1;
	else if (payload->value > (UINT64_MAX - digit) / payload->base) payload->is_large = 1;
	else payload->value = payload->value * payload->base + digit;
}

static long double homi_nan(const struct homi_payload *payload, int bits, int sign)
{
	union { long double f; struct { uint64_t m; uint16_t se; } i; } nan = {NAN};
	int is_number = payload && !payload->is_bad && !(payload->base == 16 && payload->count == 2);
	if (is_number) {
		uint64_t value = payload->is_large ? UINT64_MAX : payload->value;
		if (payload->is_large) errno = ERANGE;
		nan.i.m |= (value & (((uint64_t)1 << (bits - 2)) - 1)) << (LDBL_MANT_DIG - bits);
	}
	nan.i.se = sign < 0 ? 0xffff : 0x7fff;
	return nan.f;
}
