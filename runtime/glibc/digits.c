/* Digits of numbers without a point: ecvt, fcvt, gcvt and their q and _r forms, as glibc's, which scales by
 * multiplication. A count of digits beyond what the type tells apart is taken for that (17, for long double 21). */
#include <ctype.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Text of %.*f becomes digits and the place of the point. Zeros in front of the first digit move the point. */
static void without_point(char *text, int length, int is_zero, int *point)
{
	int whole = 0, from;
	while (isdigit((unsigned char)text[whole])) whole++;
	*point = whole;
	if (!whole || !text[whole]) return;
	from = whole + 1;
	if (whole == 1 && *text == '0' && !is_zero) {
		whole = 0;
		*point = 0;
		for (; text[from] == '0'; from++) --*point;
	}
	memmove(text + whole, text + from, length - from + 1);
}

#define DIGITS(T, prefix, length_modifier, MOST, LEAST, LEAST_EXPONENT) \
	int prefix##fcvt_r(T value, int count, int *restrict point, int *restrict sign, char *restrict text, size_t room) \
	{ \
		int left = 0; \
		if (!text) return -1; \
		*sign = 0; \
		if (isfinite(value)) { \
			*sign = signbit(value) != 0; \
			if (*sign) value = -value; \
			for (; count < 0 && value * (T)0.1 >= 1; count++, left++) value *= (T)0.1; \
			if (count < 0) count = 0; \
		} \
		int length = snprintf(text, room, "%.*" length_modifier "f", count < MOST ? count : MOST, value); \
		if (length >= (int)room) return -1; \
		without_point(text, length, value == 0, point); \
		if (!isdigit((unsigned char)*text) && !*point) return 0; \
		size_t end = strlen(text); \
		*point += left; \
		while (left-- > 0 && end + 1 < room) text[end++] = '0', text[end] = 0; \
		return 0; \
	} \
	int prefix##ecvt_r(T value, int count, int *restrict point, int *restrict sign, char *restrict text, size_t room) \
	{ \
		int exponent = 0; \
		if (isfinite(value) && value != 0) { \
			T size = value < 0 ? -value : value, scale = 1; \
			if (size < LEAST) { \
				value /= LEAST; \
				size = value < 0 ? -value : value; \
				exponent += LEAST_EXPONENT; \
			} \
			if (size < 1) { \
				do scale *= 10, exponent--; while (size * scale < 1); \
				value *= scale; \
			} else if (size >= 10) { \
				do scale *= 10, exponent++; while (size >= scale * 10); \
				value /= scale; \
			} \
		} \
		if (count <= 0 && room) { \
			*text = 0; \
			*point = 1; \
			*sign = isfinite(value) && signbit(value); \
		} else if (prefix##fcvt_r(value, (count < MOST ? count : MOST) - 1, point, sign, text, room)) { \
			return -1; \
		} \
		*point += exponent; \
		return 0; \
	} \
	char *prefix##ecvt(T value, int count, int *point, int *sign) \
	{ \
		static char text[MOST + 3]; \
		prefix##ecvt_r(value, count, point, sign, text, sizeof text); \
		return text; \
	} \
	char *prefix##fcvt(T value, int count, int *point, int *sign) \
	{ \
		static char few[MOST + 3], *many; \
		if (!many && prefix##fcvt_r(value, count, point, sign, few, sizeof few) != -1) return few; \
		const size_t room = MOST + LEAST_10_##prefix + 4; \
		if (!many) many = malloc(room); \
		prefix##fcvt_r(value, count, point, sign, many ? many : few, many ? room : sizeof few); \
		return many ? many : few; \
	} \
	char *prefix##gcvt(T value, int count, char *text) \
	{ \
		sprintf(text, "%.*" length_modifier "g", count < MOST ? count : MOST, value); \
		return text; \
	}

#define LEAST_10_ DBL_MAX_10_EXP
#define LEAST_10_q LDBL_MAX_10_EXP
DIGITS(double, , "", 17, 1e-307, -307)
DIGITS(long double, q, "L", 21, 1e-4931L, -4931)
