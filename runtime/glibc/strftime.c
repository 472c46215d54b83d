/* strftime and wcsftime as in glibc: flags, widths of all conversions, modifiers, what is out of range; musl knows some of them.
 * Numbers that fit their digits are written without a branch, because each length of a symbolic number would be a path. */
#include <ctype.h>
#include <langinfo.h>
#include <limits.h>
#include <string.h>
#include <time.h>
#include <wchar.h>
#include <wctype.h>
#include "locale_impl.h"

/* Flags, width and modifier of a conversion. */
struct conversion {
	int pad, width, modifier, upper, lower, change;
};

/* The letters that a modifier must not precede. */
static const char *refused_with(int modifier)
{
	return modifier == 'E' ? "%aAbhBDFdeHIkljMmSUVgGWw" : modifier == 'O' ? "%aAcxDFXY" : "";
}

static int days_of_year(int year) { return 365 + (year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)); }

/* Number of days since the Monday of the first week, which has the year's first Thursday. */
static int days_of_iso_year(int yday, int wday)
{
	enum { THURSDAY = 4, WEEKS = 54 * 7 };
	return yday - (yday - wday + THURSDAY + WEEKS) % 7 + THURSDAY - 1;
}

static const char *name_of_zone(const struct tm *tm)
{
	const char *zone = tm->__tm_zone;
	if ((!zone || !*zone) && tm->tm_isdst >= 0) {
		tzset();
		zone = tm->tm_isdst <= 1 ? tzname[tm->tm_isdst] : "?";
	}
	return zone ? zone : "";
}

#define CHAR char
#define NAME(x) narrow_##x
#define UPPER(c) toupper((unsigned char)(c))
#define LOWER(c) tolower((unsigned char)(c))
#include "format_time.h"
#undef CHAR
#undef NAME
#undef UPPER
#undef LOWER
#define CHAR wchar_t
#define NAME(x) wide_##x
#define UPPER(c) towupper(c)
#define LOWER(c) towlower(c)
#include "format_time.h"

size_t __strftime_l(char *restrict to, size_t room, const char *restrict format, const struct tm *restrict tm, locale_t locale)
{
	return narrow_format(to, room, format, tm, locale);
}
weak_alias(__strftime_l, strftime_l);
size_t strftime(char *restrict to, size_t room, const char *restrict format, const struct tm *restrict tm)
{
	return narrow_format(to, room, format, tm, CURRENT_LOCALE);
}
size_t __wcsftime_l(wchar_t *restrict to, size_t room, const wchar_t *restrict format, const struct tm *restrict tm, locale_t locale)
{
	return wide_format(to, room, format, tm, locale);
}
weak_alias(__wcsftime_l, wcsftime_l);
size_t wcsftime(wchar_t *restrict to, size_t room, const wchar_t *restrict format, const struct tm *restrict tm)
{
	return wide_format(to, room, format, tm, CURRENT_LOCALE);
}
