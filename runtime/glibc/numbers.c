/* Floating-point classes as functions (glibc's headers declare them so outside C99 macros), and numbers from text
 * under glibc's internal names. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <wchar.h>

#undef isinf
#undef isnan
#undef finite

#define CLASSES(type, suffix) \
	int isnan##suffix(type x) { return __builtin_isnan(x); } \
	int __isnan##suffix(type x) { return __builtin_isnan(x); } \
	int isinf##suffix(type x) { return __builtin_isinf(x) ? (x < 0 ? -1 : 1) : 0; } \
	int __isinf##suffix(type x) { return __builtin_isinf(x) ? (x < 0 ? -1 : 1) : 0; } \
	int __finite##suffix(type x) { return !(__builtin_isnan(x) | __builtin_isinf(x)); }

CLASSES(double, )
CLASSES(float, f)
CLASSES(long double, l)
int finitel(long double x) { return __finitel(x); }

/* Only a signaling NaN has its top mantissa bit clear; a load does not change it. */
int __issignaling(double x)
{
	union { double value; unsigned long long bits; } u = { x };
	return (u.bits & 0x7fffffffffffffff) > 0x7ff0000000000000 && !(u.bits >> 51 & 1);
}
int __issignalingf(float x)
{
	union { float value; unsigned bits; } u = { x };
	return (u.bits & 0x7fffffff) > 0x7f800000 && !(u.bits >> 22 & 1);
}

double __strtod_internal(const char *text, char **end, int group) { return strtod(text, end); }
float __strtof_internal(const char *text, char **end, int group) { return strtof(text, end); }
long double __strtold_internal(const char *text, char **end, int group) { return strtold(text, end); }
double __wcstod_internal(const wchar_t *text, wchar_t **end, int group) { return wcstod(text, end); }
long __wcstol_internal(const wchar_t *text, wchar_t **end, int base, int group) { return wcstol(text, end, base); }
unsigned long __wcstoul_internal(const wchar_t *text, wchar_t **end, int base, int group)
{
	return wcstoul(text, end, base);
}

/* Ties go to the even neighbor. */
/* The payload of a NaN is the number in the text. */
#define NAN_OF(type, name, read) \
	type name(const char *text) \
	{ \
		char whole[64], *end = whole; \
		type number = __builtin_nan(""); \
		if (*text && snprintf(whole, sizeof whole, "NAN(%s)", text) < (int)sizeof whole) number = read(whole, &end); \
		return *end ? __builtin_nan("") : number; \
	}
NAN_OF(double, nan, strtod)
NAN_OF(float, nanf, strtof)
NAN_OF(long double, nanl, strtold)

double roundeven(double x) { return __builtin_rint(x); }
float roundevenf(float x) { return __builtin_rintf(x); }
long double roundevenl(long double x) { return __builtin_rintl(x); }
