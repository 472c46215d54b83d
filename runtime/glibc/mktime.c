/* mktime as in glibc around changes of the clocks and for each sign of tm_isdst; and asctime, which fails where musl's ends the
 * program. gnulib's mktime is glibc's, made to work outside of it; set-up takes it from the sources of coreutils (see
 * ../musl/prepare.py). It asks localtime again and again, so that a symbolic date forks; zones in which nothing ever changes, as UTC,
 * need no search. */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <time.h>
#include "src/time/time_impl.h"

time_t __homi_search_time(struct tm *);
int __homi_has_changes(void);

/* Definitions of gnulib's configuration. */
#define NEED_MKTIME_WORKING 1
#define TIME_T_IS_SIGNED 1
#define mktime __homi_search_time
#define mktime_internal __homi_mktime_internal
#undef weak_alias
#define weak_alias(name, alias)
#define libc_hidden_def(name)
#define libc_hidden_weak(name)
#define attribute_hidden
#define __set_errno(number) (errno = (number))
#include "gnulib/mktime.c"
#undef mktime

time_t mktime(struct tm *tm)
{
	struct tm date;
	long long moment;
	if (__homi_has_changes()) return __homi_search_time(tm);
	moment = __tm_to_secs(tm);
	__secs_to_zone(moment, 1, &date.tm_isdst, &date.__tm_gmtoff, 0, &date.__tm_zone);
	/* Daylight saving time where there is none is taken to be an hour. */
	moment -= date.__tm_gmtoff + (tm->tm_isdst > 0 ? 3600 : 0);
	if (__secs_to_tm(moment + date.__tm_gmtoff, &date) < 0) {
		errno = EOVERFLOW;
		return -1;
	}
	*tm = date;
	return moment;
}

static char *format_date(const struct tm *tm, char *to, int room)
{
	static const char days[] = "SunMonTueWedThuFriSat", months[] = "JanFebMarAprMayJunJulAugSepOctNovDec";
	if (!tm) return errno = EINVAL, (char *)0;
	if (tm->tm_year <= INT_MAX - 1900) {
		const char *day = (unsigned)tm->tm_wday < 7 ? days + 3 * tm->tm_wday : "???";
		const char *month = (unsigned)tm->tm_mon < 12 ? months + 3 * tm->tm_mon : "???";
		int length = snprintf(to, room, "%.3s %.3s%3d %.2d:%.2d:%.2d %d\n", day, month, tm->tm_mday, tm->tm_hour, tm->tm_min,
			tm->tm_sec, 1900 + tm->tm_year);
		if (length < room) return to;
	}
	errno = EOVERFLOW;
	return 0;
}

char *asctime_r(const struct tm *restrict tm, char *restrict to) { return format_date(tm, to, 26); }
char *__asctime_r(const struct tm *restrict tm, char *restrict to) { return format_date(tm, to, 26); }
char *asctime(const struct tm *tm)
{
	static char date[114];
	return format_date(tm, date, sizeof date);
}
