/* strptime as in glibc, in the locales that there are, which have the names and formats of C: musl's knows fewer conversions and
 * leaves what one field says of another. */
#include <ctype.h>
#include <string.h>
#include <strings.h>
#include <time.h>

/* One condition: musl's own isspace has a branch. */
static int is_space(char c) { return (isspace)((unsigned char)c); }

static const char weekdays[][10] = {"Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"};
static const char months[][10] = {"January", "February", "March", "April", "May", "June", "July", "August", "September", "October",
	"November", "December"};

/* Values read so far. The locale's own words: glibc tries them until it finds one or none. */
struct reading {
	struct tm *tm;
	int is_12_hours, has_wday, has_yday, has_mon, has_mday, has_uweek, has_wweek, is_pm, wants_century, wants_era, wants_days;
	enum { UNDECIDED, BY_LOCALE, PLAIN } words;
	int week, century;
};

static const char *read_all(const char *, const char *, struct reading *);

/* The days before each month, of years of 365 and of 366 days. As in glibc, what looks for a month that is none finds the other row. */
enum { MONTHS = 13 };
static const short days_of_rows[2 * MONTHS + 2] = {0, 0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334, 365, 0, 31, 60, 91, 121, 152, 182, 213,
	244, 274, 305, 335, 366, 32767};
static const short *days_before_months(int year)
{
	int is_leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
	return days_of_rows + 1 + is_leap * MONTHS;
}

/* The weekday as glibc computes it, also of days that do not exist. */
static int weekday(const struct tm *tm)
{
	int year = 1900 + tm->tm_year - (tm->tm_mon < 2), fourth = year / 4;
	int days = 365 * (tm->tm_year - 70) + fourth - fourth / 25 + (fourth % 25 < 0) + fourth / 25 / 4 + days_before_months(1)[tm->tm_mon] +
		tm->tm_mday - 474;
	return (days % 7 + 7) % 7;
}

/* Reads a number of at most some digits that is in range. Conditions are joined without branches: each would be a fork. */
static const char *number(const char *s, int *to, int low, int high, int digits)
{
	int value = 0;
	while (is_space(*s)) s++;
	if (!isdigit(*s)) return 0;
	do value = value * 10 + *s++ - '0';
	while (--digits > 0 && ((value * 10 <= high) & (isdigit(*s) != 0)));
	if ((value < low) | (value > high)) return 0;
	*to = value;
	return s;
}

/* A weekday's name or its first letters. As in glibc, the letters of a later day may follow. */
static const char *name_of_day(const char *s, struct reading *r)
{
	const char *end = 0;
	for (int i = 0; i < 7; i++) {
		if (strncasecmp(weekdays[i], s, 3)) continue;
		size_t length = strlen(weekdays[i]);
		int is_whole = !strncasecmp(weekdays[i] + 3, s + 3, length - 3);
		const char *found = is_whole ? s + length : r->words == PLAIN ? s : s + 3;
		if (found > end) end = found, r->tm->tm_wday = i;
		if (r->words == UNDECIDED || (r->words == PLAIN && !is_whole)) s += 3;
	}
	r->has_wday = 1;
	return end;
}

static const char *name_of_month(const char *s, struct reading *r)
{
	for (int i = 0; i < 12; i++) {
		if (strncasecmp(months[i], s, 3)) continue;
		size_t length = strlen(months[i]);
		r->tm->tm_mon = i;
		r->has_mon = r->wants_days = 1;
		return s + (strncasecmp(months[i] + 3, s + 3, length - 3) ? 3 : length);
	}
	return 0;
}

static const char *half_of_day(const char *s, struct reading *r)
{
	if (!strncasecmp("AM", s, 2)) r->is_pm = 0;
	else if (!strncasecmp("PM", s, 2)) r->is_pm = 1;
	else return 0;
	return s + 2;
}

static const char *offset(const char *s, struct tm *tm)
{
	int value = 0, digits = 0;
	while (is_space(*s)) s++;
	if (*s == 'Z') return tm->__tm_gmtoff = 0, s + 1;
	if (*s != '+' && *s != '-') return 0;
	int is_west = *s++ == '-';
	for (; digits < 4 && isdigit(*s); digits++) {
		value = value * 10 + *s++ - '0';
		if (*s == ':' && digits == 1 && isdigit(s[1])) s++;
	}
	if (digits == 2) value *= 100;
	else if (digits != 4 || value % 100 >= 60) return 0;
	tm->__tm_gmtoff = (is_west ? -1 : 1) * (value / 100 * 3600 + value % 100 * 60);
	return s;
}

static const char *seconds(const char *s, struct tm *tm)
{
	time_t value = 0;
	if (!isdigit(*s)) return 0;
	while (isdigit(*s)) value = value * 10 + (*s++ - '0');
	return localtime_r(&value, tm) ? s : 0;
}

/* A format within the format: nothing of it counts if it does not fit. */
static const char *nested(const char *s, const char *format, struct reading *r)
{
	struct tm copy = *r->tm, *to = r->tm;
	struct reading inner = *r;
	inner.tm = &copy;
	s = read_all(s, format, &inner);
	if (!s) return 0;
	*to = copy;
	*r = inner;
	r->tm = to;
	return s;
}

static const char *year_of_century(const char *s, struct reading *r, int has_century)
{
	s = number(s, &r->tm->tm_year, 0, 99, 2);
	if (!s) return 0;
	if (r->tm->tm_year < 69) r->tm->tm_year += 100;
	if (has_century) r->wants_century = 1;
	r->wants_days = 1;
	return s;
}

static const char *year(const char *s, struct reading *r)
{
	s = number(s, &r->tm->tm_year, 0, 9999, 4);
	if (!s) return 0;
	r->tm->tm_year -= 1900;
	r->wants_century = 0, r->wants_days = 1;
	return s;
}

/* Conversions that are a number in range. */
static const char *numeric(const char *s, int letter, struct reading *r)
{
	static const struct {
		char letter, low, high, digits;
	} plain[] = {{'C', 0, 99, 2}, {'d', 1, 31, 2}, {'e', 1, 31, 2}, {'k', 0, 23, 2}, {'H', 0, 23, 2}, {'l', 1, 12, 2}, {'I', 1, 12, 2},
		{'m', 1, 12, 2}, {'M', 0, 59, 2}, {'S', 0, 61, 2}, {'u', 1, 7, 1}, {'w', 0, 6, 1}, {'U', 0, 53, 2}, {'W', 0, 53, 2},
		{'V', 0, 53, 2}, {'g', 0, 99, 2}};
	struct tm *tm = r->tm;
	int value = 0, i = 0, kinds = sizeof plain / sizeof *plain;
	while (i < kinds && plain[i].letter != letter) i++;
	if (i < kinds) s = number(s, &value, plain[i].low, plain[i].high, plain[i].digits);
	else s = letter == 'j' ? number(s, &value, 1, 366, 3) : 0;
	if (!s) return 0;
	switch (letter) {
	case 'C': r->wants_days = 1, r->century = value; break;
	case 'd': case 'e': r->has_mday = r->wants_days = 1, tm->tm_mday = value; break;
	case 'k': case 'H': r->is_12_hours = 0, tm->tm_hour = value; break;
	case 'l': case 'I': r->is_12_hours = 1, tm->tm_hour = value % 12; break;
	case 'j': r->has_yday = 1, tm->tm_yday = value - 1; break;
	case 'm': r->has_mon = r->wants_days = 1, tm->tm_mon = value - 1; break;
	case 'M': tm->tm_min = value; break;
	case 'S': tm->tm_sec = value; break;
	case 'u': case 'w': r->has_wday = 1, tm->tm_wday = value % 7; break;
	case 'U': r->has_uweek = 1, r->week = value; break;
	case 'W': r->has_wweek = 1, r->week = value; break;
	}
	return s;
}

/* Modifier E: an era; no locale has one. */
static const char *of_era(const char *s, int letter, struct reading *r)
{
	switch (letter) {
	case 'c': return nested(s, "%a %b %e %H:%M:%S %Y", r);
	case 'x': return nested(s, "%m/%d/%y", r);
	case 'X': return nested(s, "%H:%M:%S", r);
	case 'C': case 'y': case 'Y':
		if (r->words != PLAIN && letter == 'y') {
			s = number(s, &r->tm->tm_year, 0, 9999, 4);
			r->wants_era = r->wants_days = r->wants_century = 1;
		}
		if (!s || r->words == BY_LOCALE) return 0;
		r->words = PLAIN;
		return letter == 'C' ? numeric(s, 'C', r) : letter == 'y' ? year_of_century(s, r, 1) : year(s, r);
	}
	return 0;
}

/* Modifier O: alternative digits; their absence is detected once. */
static const char *with_other_digits(const char *s, int letter, struct reading *r)
{
	if (letter && strchr("bBh", letter)) return name_of_month(s, r);
	if (!letter || !strchr("deHImMSUWVwy", letter)) return 0;
	if (r->words == BY_LOCALE) return 0;
	if (r->words == UNDECIDED) r->words = BY_LOCALE;
	return letter == 'y' ? year_of_century(s, r, 0) : numeric(s, letter, r);
}

static const char *read_one(const char *s, int letter, struct reading *r)
{
	switch (letter) {
	case '%': return *s == '%' ? s + 1 : 0;
	case 'a': case 'A': return name_of_day(s, r);
	case 'b': case 'B': case 'h': return name_of_month(s, r);
	case 'p': return half_of_day(s, r);
	case 'c': return nested(s, "%a %b %e %H:%M:%S %Y", r);
	case 'F': return nested(s, "%Y-%m-%d", r);
	case 'x': case 'D': return nested(s, "%m/%d/%y", r);
	case 'r': return nested(s, "%I:%M:%S %p", r);
	case 'R': return nested(s, "%H:%M", r);
	case 'X': case 'T': return nested(s, "%H:%M:%S", r);
	case 'n': case 't':
		while (is_space(*s)) s++;
		return s;
	case 's': return seconds(s, r->tm);
	case 'G':
		if (!isdigit(*s)) return 0;
		while (isdigit(*s)) s++;
		return s;
	case 'y': return year_of_century(s, r, 1);
	case 'Y': return year(s, r);
	case 'z': return offset(s, r->tm);
	case 'Z':
		while (is_space(*s)) s++;
		while (*s && !is_space(*s)) s++;
		return s;
	}
	return numeric(s, letter, r);
}

static const char *read_all(const char *s, const char *format, struct reading *r)
{
	while (s && *format) {
		if (is_space(*format)) {
			while (is_space(*s)) s++;
			format++;
		} else if (*format != '%') {
			if (*format++ != *s++) return 0;
		} else {
			for (format++; *format == '-' || *format == '_' || *format == '0' || *format == '^' || *format == '#'; format++);
			while (isdigit(*format)) format++;
			int letter = *format ? *format++ : 0, next = *format;
			if (letter != 'E' && letter != 'O') s = read_one(s, letter, r);
			else {
				if (next) format++;
				s = letter == 'E' ? of_era(s, next, r) : with_other_digits(s, next, r);
			}
		}
	}
	return s;
}

/* The month and the day of the month by the day of the year, where they were not read. */
static void month_of_day(struct reading *r)
{
	struct tm *tm = r->tm;
	const short *days = days_before_months(1900 + tm->tm_year);
	int month = 0;
	while (days[month] <= tm->tm_yday) month++;
	if (!r->has_mon) tm->tm_mon = month - 1;
	if (!r->has_mday) tm->tm_mday = tm->tm_yday - days[month - 1] + 1;
}

static void day_by_week(struct reading *r)
{
	struct tm *tm = r->tm, first = *tm;
	int monday = r->has_uweek ? 0 : 1;
	first.tm_mday = 1, first.tm_mon = 0;
	int first_wday = weekday(&first);
	if (!r->has_mday) tm->tm_mday = 1;
	if (!r->has_mon) tm->tm_mon = 0;
	if (!r->has_yday)
		tm->tm_yday = (7 - (first_wday - monday)) % 7 + (r->week - 1) * 7 + (tm->tm_wday - monday + 7) % 7;
	if (!r->has_mday || !r->has_mon) month_of_day(r);
}

char *strptime(const char *restrict text, const char *restrict format, struct tm *restrict tm)
{
	struct reading r = {.tm = tm, .century = -1};
	const char *end = read_all(text, format, &r);
	if (!end) return 0;
	if (r.is_12_hours && r.is_pm) tm->tm_hour += 12;
	if (r.century != -1) tm->tm_year = (r.wants_century ? tm->tm_year % 100 : 0) + (r.century - 19) * 100;
	if (r.wants_era && r.wants_century && r.century == -1 && tm->tm_year < 69) tm->tm_year += 100;
	if (r.wants_days && !r.has_wday) {
		if (!(r.has_mon && r.has_mday) && r.has_yday) {
			month_of_day(&r);
			r.has_mon = r.has_mday = 1;
		}
		if (r.has_mon || (unsigned)tm->tm_mon <= 11) tm->tm_wday = weekday(tm);
	}
	if (r.wants_days && !r.has_yday && (r.has_mon || (unsigned)tm->tm_mon <= 11))
		tm->tm_yday = days_before_months(1900 + tm->tm_year)[tm->tm_mon] + tm->tm_mday - 1;
	if ((r.has_uweek || r.has_wweek) && r.has_wday) day_by_week(&r);
	return (char *)end;
}
