/* Text to integers, with glibc's results: no digits leave errno alone and the end at the start; overflow gives
 * the limit and ERANGE; a bad base gives EINVAL
 * and nothing else. One fork per character is all that a symbolic string costs
 * (does it still belong to the number): the value of a digit comes from a table, and overflow is gathered
 * without branches and looked at once. */
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>

#define NO 99
#define LETTERS 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35
#define EIGHT_NO NO, NO, NO, NO, NO, NO, NO, NO
#define SIXTEEN_NO EIGHT_NO, EIGHT_NO

static const unsigned char digit_value[256] = {
	SIXTEEN_NO, SIXTEEN_NO, SIXTEEN_NO,
	0, 1, 2, 3, 4, 5, 6, 7, 8, 9, NO, NO, NO, NO, NO, NO,
	NO, LETTERS, NO, NO, NO, NO, NO,
	NO, LETTERS, NO, NO, NO, NO, NO,
	SIXTEEN_NO, SIXTEEN_NO, SIXTEEN_NO, SIXTEEN_NO, SIXTEEN_NO, SIXTEEN_NO, SIXTEEN_NO, SIXTEEN_NO,
};

/* limit_negative, limit_positive: greatest magnitudes. is_unsigned: a minus sign negates modulo 2^64. */
static unsigned long long parse(const char *text, char **end, int base,
	unsigned long long limit_negative, unsigned long long limit_positive, int is_unsigned)
{
	const unsigned char *p = (const unsigned char *)text;
	unsigned long long value = 0;
	int negative = 0, any = 0, overflow = 0;

	if (base < 0 || base == 1 || base > 36) {
		errno = EINVAL;
		return 0;
	}
	if (end) *end = (char *)text;
	while (isspace(*p)) p++;
	if (*p == '-' || *p == '+') negative = *p++ == '-';
	if ((base == 0 || base == 16) && *p == '0' && (p[1] | 32) == 'x') {
		if (digit_value[p[2]] < 16) {
			p += 2;
		} else {
			/* "0x" and no digit: the number is the 0. */
			if (end) *end = (char *)p + 1;
			return 0;
		}
		base = 16;
	}
	if (base == 0) base = *p == '0' ? 8 : 10;

	const unsigned long long cut = ULLONG_MAX / base;
	const unsigned last = ULLONG_MAX % base;
	for (;; p++) {
		unsigned digit = digit_value[*p];
		if (digit >= (unsigned)base) break;
		overflow |= (value > cut) | ((value == cut) & (digit > last));
		value = value * base + digit;
		any = 1;
	}
	if (!any) return 0;
	if (end) *end = (char *)p;
	unsigned long long limit = negative && !is_unsigned ? limit_negative : limit_positive;
	if (overflow | (value > limit)) {
		errno = ERANGE;
		value = limit;
		if (is_unsigned) return value;
	}
	return negative ? -value : value;
}

long long strtoll(const char *restrict text, char **restrict end, int base)
{
	return parse(text, end, base, 1ULL + LLONG_MAX, LLONG_MAX, 0);
}

unsigned long long strtoull(const char *restrict text, char **restrict end, int base)
{
	return parse(text, end, base, 0, ULLONG_MAX, 1);
}

/* intmax_t and long long are one type, and on x86-64 so is long. */
#if LONG_MAX == LLONG_MAX
#define to_long strtoll
#define to_unsigned_long strtoull
#else
static long to_long(const char *text, char **end, int base) { return parse(text, end, base, 1ULL + LONG_MAX, LONG_MAX, 0); }

static unsigned long to_unsigned_long(const char *text, char **end, int base)
{
	return parse(text, end, base, 0, ULONG_MAX, 1);
}
#endif

/* As glibc: what strtol gives, as an int. */
int atoi(const char *text) { return to_long(text, 0, 10); }
long atol(const char *text) { return to_long(text, 0, 10); }
long long atoll(const char *text) { return strtoll(text, 0, 10); }

#define PLAIN(type, name, read) \
	type name(const char *restrict text, char **restrict end, int base) { return read(text, end, base); }
#define GROUPED(type, name, read) \
	type name(const char *restrict text, char **restrict end, int base, int group) { return read(text, end, base); }

PLAIN(long, strtol, to_long)
PLAIN(intmax_t, strtoimax, strtoll)
PLAIN(long long, strtoq, strtoll)
PLAIN(unsigned long, strtoul, to_unsigned_long)
PLAIN(uintmax_t, strtoumax, strtoull)
PLAIN(unsigned long long, strtouq, strtoull)
GROUPED(long, __strtol_internal, to_long)
GROUPED(long long, __strtoll_internal, strtoll)
GROUPED(intmax_t, __strtoimax_internal, strtoll)
GROUPED(unsigned long, __strtoul_internal, to_unsigned_long)
GROUPED(unsigned long long, __strtoull_internal, strtoull)
GROUPED(uintmax_t, __strtoumax_internal, strtoull)

long strtol_l(const char *restrict text, char **restrict end, int base, locale_t locale)
{
	return to_long(text, end, base);
}

unsigned long strtoul_l(const char *restrict text, char **restrict end, int base, locale_t locale)
{
	return to_unsigned_long(text, end, base);
}

long long strtoll_l(const char *restrict text, char **restrict end, int base, locale_t locale)
{
	return strtoll(text, end, base);
}

unsigned long long strtoull_l(const char *restrict text, char **restrict end, int base, locale_t locale)
{
	return strtoull(text, end, base);
}
