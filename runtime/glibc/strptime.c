/* strptime as in glibc: what a date says of the weekday and the day of the year is filled in (musl leaves them). */
#include <string.h>
#include <time.h>

char *__homi_strptime(const char *, const char *, struct tm *);

static int days_before(int year, int month)
{
	static const short days[] = {0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334, 365};
	int leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
	return days[month] + (leap && month > 1);
}

static int weekday(int year, int days)
{
	long before = (long)year - 1;
	/* The first of January of the year 1 was a Monday. */
	long sum = before * 365 + before / 4 - before / 100 + before / 400 + days + 1;
	return (int)((sum % 7 + 7) % 7);
}

char *strptime(const char *restrict text, const char *restrict format, struct tm *restrict tm)
{
	int month = 0, day = 0, dated = 0, has_weekday = 0, has_yearday = 0;
	char *end = __homi_strptime(text, format, tm);
	if (!end) return 0;
	for (const char *f = format; *f; f++) {
		if (*f != '%') continue;
		do f++;
		while (*f && strchr("_-0^#+EO123456789", *f));
		if (!*f) break;
		month |= strchr("bBhmDFcx", *f) != 0;
		day |= strchr("deDFcx", *f) != 0;
		dated |= strchr("bBhmdeDFcxyYC", *f) != 0;
		has_weekday |= strchr("aAuwc", *f) != 0;
		has_yearday |= *f == 'j';
		if (*f == 's') has_weekday = has_yearday = 1;
	}
	int year = tm->tm_year + 1900;
	if (dated && !has_weekday && has_yearday && !(month && day)) {
		int found = 0;
		while (found < 11 && days_before(year, found + 1) <= tm->tm_yday) found++;
		if (!month) tm->tm_mon = found;
		if (!day) tm->tm_mday = tm->tm_yday - days_before(year, found) + 1;
		month = day = 1;
	}
	if (!dated || (unsigned)tm->tm_mon > 11) return end;
	int days = days_before(year, tm->tm_mon) + tm->tm_mday - 1;
	if (!has_weekday) tm->tm_wday = weekday(year, days);
	if (!has_yearday) tm->tm_yday = days;
	return end;
}
