/* The functions to which glibc 2.38 and later redirect the strtol family for C23: with base 0 or 2 a number may begin with 0b. */
#include <inttypes.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <wchar.h>

/* The digits behind a prefix 0b, which a sign may come before (*negative); null without one. */
#define BEHIND_PREFIX(name, type) \
	static const type *name(const type *text, int base, int *negative) \
	{ \
		if (base != 0 && base != 2) return 0; \
		while (*text == ' ' || (*text >= '\t' && *text <= '\r')) text++; \
		*negative = *text == '-'; \
		if (*text == '-' || *text == '+') text++; \
		if (text[0] != '0' || (text[1] | 32) != 'b' || (text[2] != '0' && text[2] != '1')) return 0; \
		return text + 2; \
	}
BEHIND_PREFIX(behind, char)
BEHIND_PREFIX(behind_wide, wchar_t)

/* The greatest negative number is one more than the greatest. */
static long with_sign(unsigned long value, int negative)
{
	unsigned long most = (unsigned long)__LONG_MAX__ + (negative != 0);
	if (value > most) {
		extern int *__errno_location(void);
		*__errno_location() = 34; /* ERANGE */
		value = most;
	}
	return (long)(negative ? 0 - value : value);
}

#define SIGNED(type, name, letter, prefix, parse, unsigned_parse) \
	type name(const letter *restrict text, letter **restrict end, int base) \
	{ \
		int negative; \
		const letter *digits = prefix(text, base, &negative); \
		return digits ? with_sign(unsigned_parse(digits, end, 2), negative) : parse(text, end, base); \
	} \
	type name##_l(const letter *restrict text, letter **restrict end, int base, void *locale) { return name(text, end, base); }
#define UNSIGNED(type, name, letter, prefix, parse) \
	type name(const letter *restrict text, letter **restrict end, int base) \
	{ \
		int negative; \
		const letter *digits = prefix(text, base, &negative); \
		if (!digits) return parse(text, end, base); \
		type value = parse(digits, end, 2); \
		return negative ? 0 - value : value; \
	} \
	type name##_l(const letter *restrict text, letter **restrict end, int base, void *locale) { return name(text, end, base); }

SIGNED(long, __isoc23_strtol, char, behind, strtol, strtoul)
SIGNED(long long, __isoc23_strtoll, char, behind, strtoll, strtoul)
SIGNED(intmax_t, __isoc23_strtoimax, char, behind, strtoimax, strtoul)
UNSIGNED(unsigned long, __isoc23_strtoul, char, behind, strtoul)
UNSIGNED(unsigned long long, __isoc23_strtoull, char, behind, strtoull)
UNSIGNED(uintmax_t, __isoc23_strtoumax, char, behind, strtoumax)
SIGNED(long, __isoc23_wcstol, wchar_t, behind_wide, wcstol, wcstoul)
SIGNED(long long, __isoc23_wcstoll, wchar_t, behind_wide, wcstoll, wcstoul)
SIGNED(intmax_t, __isoc23_wcstoimax, wchar_t, behind_wide, wcstoimax, wcstoul)
UNSIGNED(unsigned long, __isoc23_wcstoul, wchar_t, behind_wide, wcstoul)
UNSIGNED(unsigned long long, __isoc23_wcstoull, wchar_t, behind_wide, wcstoull)
UNSIGNED(uintmax_t, __isoc23_wcstoumax, wchar_t, behind_wide, wcstoumax)

#define PASS(call) \
	va_list arguments; \
	va_start(arguments, format); \
	int count = call; \
	va_end(arguments); \
	return count;
int __isoc23_wscanf(const wchar_t *format, ...) { PASS(vwscanf(format, arguments)) }
int __isoc23_fwscanf(FILE *f, const wchar_t *format, ...) { PASS(vfwscanf(f, format, arguments)) }
int __isoc23_swscanf(const wchar_t *s, const wchar_t *format, ...) { PASS(vswscanf(s, format, arguments)) }
int __isoc23_vwscanf(const wchar_t *format, va_list arguments) { return vwscanf(format, arguments); }
int __isoc23_vfwscanf(FILE *f, const wchar_t *format, va_list arguments) { return vfwscanf(f, format, arguments); }
int __isoc23_vswscanf(const wchar_t *s, const wchar_t *format, va_list arguments) { return vswscanf(s, format, arguments); }
