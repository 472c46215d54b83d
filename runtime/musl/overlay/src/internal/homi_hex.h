#ifndef HOMI_HEX_H
#define HOMI_HEX_H

#include <stdint.h>

unsigned klee_is_symbolic(unsigned long value);

/* Hexadecimal digits of a symbolic number whose count the format fixes ("%02x" of a byte): no fork for each leading
 * zero. Check sums are printed so, and a question about one digit of a digest costs as much as inverting it. */
static inline int homi_hex_digits(uintmax_t value, int wanted)
{
	if (wanted < 1 || wanted > 16 || !klee_is_symbolic(value)) return 0;
	return wanted == 16 || !(value >> 4 * wanted) ? wanted : 0;
}

static inline char *homi_hex(uintmax_t value, char *end, int lower, int digits)
{
	for (; digits > 0; digits--, value >>= 4) {
		unsigned digit = value & 15;
		/* Letters by arithmetic: 7 is what lies between '9' and 'A'. */
		*--end = (char)(('0' + digit + ((digit + 6) >> 4) * 7) | lower);
	}
	return end;
}

#endif
