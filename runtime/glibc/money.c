/* strfmon of the C locale: no grouping and no currency, two digits after the point unless told otherwise. */
#include <ctype.h>
#include <errno.h>
#include <locale.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

struct amount {
	int fill, left, parentheses, width, digits, precision;
};

static const char *parse(const char *format, struct amount *to)
{
	*to = (struct amount){' ', 0, 0, 0, 0, 2};
	for (;; format++) {
		if (*format == '=' && format[1]) to->fill = *++format;
		else if (*format == '-') to->left = 1;
		else if (*format == '(') to->parentheses = 1;
		else if (!*format || !strchr("^+!", *format)) break;
	}
	to->width = (int)strtol(format, (char **)&format, 10);
	if (*format == '#') to->digits = (int)strtol(format + 1, (char **)&format, 10);
	if (*format == '.') to->precision = (int)strtol(format + 1, (char **)&format, 10);
	return format;
}

/* The amount's characters; -1: no room. */
static ssize_t show(char *to, size_t n, const struct amount *how, long double value)
{
	int negative = value < 0, size, padding, total, before, after;
	char number[400];
	size = snprintf(number, sizeof number, "%.*Lf", how->precision, negative ? -value : value);
	if (size < 0 || (size_t)size >= sizeof number) return -1;
	padding = how->digits - (int)strcspn(number, ".");
	if (padding < 0) padding = 0;
	/* With #n both signs take the same room. */
	before = negative || (how->digits && how->parentheses) || how->digits;
	after = how->parentheses && (negative || how->digits);
	total = before + padding + size + after;
	int around = how->width > total ? how->width - total : 0;
	if ((size_t)(total + around) >= n) return -1;
	if (!how->left) memset(to, ' ', around), to += around;
	if (before) *to++ = negative ? (how->parentheses ? '(' : '-') : ' ';
	memset(to, how->fill, padding), to += padding;
	memcpy(to, number, size), to += size;
	if (after) *to++ = negative ? ')' : ' ';
	if (how->left) memset(to, ' ', around);
	return total + around;
}

static ssize_t format_money(char *s, size_t n, const char *format, va_list arguments)
{
	char *start = s, *end = s + n;
	while (*format) {
		struct amount how;
		int is_long;
		ssize_t size;
		if (s + 1 >= end) return errno = E2BIG, -1;
		if (*format != '%' || format[1] == '%') {
			format += *format == '%';
			*s++ = *format++;
			continue;
		}
		format = parse(format + 1, &how);
		is_long = *format == 'L';
		format += is_long;
		if (*format != 'i' && *format != 'n') return errno = EINVAL, -1;
		format++;
		size = show(s, end - s, &how, is_long ? va_arg(arguments, long double) : va_arg(arguments, double));
		if (size < 0) return errno = E2BIG, -1;
		s += size;
	}
	if (s >= end) return errno = E2BIG, -1;
	*s = 0;
	return s - start;
}

ssize_t strfmon(char *s, size_t n, const char *format, ...)
{
	va_list arguments;
	va_start(arguments, format);
	ssize_t result = format_money(s, n, format, arguments);
	va_end(arguments);
	return result;
}

ssize_t strfmon_l(char *s, size_t n, locale_t locale, const char *format, ...)
{
	va_list arguments;
	va_start(arguments, format);
	ssize_t result = format_money(s, n, format, arguments);
	va_end(arguments);
	return result;
}
