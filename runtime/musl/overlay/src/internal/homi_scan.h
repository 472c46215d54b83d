/* Differences of glibc's scanf from musl's. */
#include <errno.h>

/* A width or a position, less than 0 if it is no int (then there is no limit). */
static int homi_scan_width(const unsigned char **format)
{
	int width = 0;
	for (; **format - '0' < 10U; ++*format) {
		int digit = **format - '0';
		width = width < 0 || width > (INT_MAX - digit) / 10 ? -1 : 10 * width + digit;
	}
	return width;
}

/* The bytes of a character of the format beyond ASCII; one that the locale does not have sets errno, and its first
 * byte is compared as it is. */
static size_t homi_scan_literal(const unsigned char *format)
{
	mbstate_t state = {0};
	size_t bytes = mbrlen((const char *)format, strlen((const char *)format), &state);
	return bytes + 2 > 2 ? bytes : 1;
}

/* A set in brackets, after the first one, as flags of characters plus 1; gives its end, or null if it has none. "b-a"
 * is three characters, and a hyphen may start a range whose first character is the one before. */
static const unsigned char *homi_scan_set(unsigned char *flags, const unsigned char *format)
{
	const int is_inverse = *format == '^';
	int c;
	if (is_inverse) format++;
	memset(flags, is_inverse, 257);
	flags[0] = 0;
	if (*format == ']' || *format == '-') flags[1 + *format++] = !is_inverse;
	for (; *format != ']'; format++) {
		if (!*format) return 0;
		if (*format == '-' && format[1] && format[1] != ']' && format[-1] <= format[1])
			for (c = format[-1]; c < format[1]; c++) flags[1 + c] = !is_inverse;
		else flags[1 + *format] = !is_inverse;
	}
	return format;
}

/* Largest magnitude of strtol, strtoul and their variants, which read the digits in glibc: see __intscan. */
static unsigned long long homi_scan_limit(int conversion, int size)
{
	const int is_wide = size == SIZE_ll || size == SIZE_L;
	if (conversion != 'd' && conversion != 'i') return is_wide ? ULLONG_MAX : ULONG_MAX;
	return is_wide ? 1ULL + LLONG_MAX : 1ULL + LONG_MAX;
}

/* "(nil)", as %p prints a null pointer. */
static int homi_scan_nil(FILE *f, int width)
{
	const char *rest = "(nil)";
	if (width && width < 5) return 0;
	for (; *rest && tolower(shgetc(f)) == *rest; rest++);
	if (*rest) shunget(f);
	return !*rest;
}
