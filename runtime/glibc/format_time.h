/* strftime for one kind of character: CHAR, and NAME(x) for the functions' names. See strftime.c. */

struct NAME(output) {
	CHAR *to;
	size_t room, used;
	int is_full;
};

static void NAME(run)(struct NAME(output) *, const CHAR *, const struct tm *, locale_t);

/* Copies a text of n characters, which are CHARs or bytes, padded to the width. */
static void NAME(put)(struct NAME(output) *out, const void *text, int is_wide, size_t n, const struct conversion *how)
{
	size_t padding = how->width > 0 && (size_t)how->width > n ? how->width - n : 0, i;
	if (out->is_full || n + padding >= out->room - out->used) {
		out->is_full = 1;
		return;
	}
	if (out->to) {
		CHAR *to = out->to + out->used;
		for (i = 0; i < padding; i++) *to++ = how->pad == '0' ? '0' : ' ';
		for (i = 0; i < n; i++) {
			CHAR c = is_wide ? ((const CHAR *)text)[i] : ((const unsigned char *)text)[i];
			*to++ = how->lower ? LOWER(c) : how->upper ? UPPER(c) : c;
		}
	}
	out->used += n + padding;
}

static void NAME(put_text)(struct NAME(output) *out, const char *text, struct conversion *how) { NAME(put)(out, text, 0, strlen(text), how); }

/* The name of a zone is of the locale's characters. */
static void NAME(put_zone)(struct NAME(output) *out, const char *zone, struct conversion *how)
{
	wchar_t wide[64];
	size_t n = sizeof(CHAR) == 1 ? strlen(zone) : mbstowcs(wide, zone, 64);
	if (n != (size_t)-1) NAME(put)(out, sizeof(CHAR) == 1 ? (const void *)zone : wide, sizeof(CHAR) != 1, n, how);
}

/* Writes a number between 0 and 10 to the power of its digits: no branch depends on it. */
static void NAME(put_digits)(struct NAME(output) *out, unsigned value, int digits, struct conversion *how)
{
	char text[10];
	unsigned blank = how->pad == '_';
	for (int i = digits; i--; value /= 10) text[i] = '0' + value % 10;
	for (int i = 0; i < digits - 1; i++) {
		blank &= text[i] == '0';
		text[i] -= blank << 4;
	}
	NAME(put)(out, text, 0, digits, how);
}

static void NAME(put_number)(struct NAME(output) *out, long long value, int digits, struct conversion *how)
{
	static const struct conversion plain = {.width = -1};
	char text[24], *at = text + sizeof text;
	unsigned long long rest = value < 0 ? -(unsigned long long)value : value;
	do *--at = '0' + rest % 10;
	while ((rest /= 10) != 0);
	if (value < 0) *--at = '-';
	long padding = digits - (text + sizeof text - at);
	if (how->pad != '-' && padding > 0) {
		if ((size_t)(how->pad == '_' ? padding : digits) >= out->room - out->used) {
			out->is_full = 1;
			return;
		}
		if (how->pad != '_' && value < 0) NAME(put)(out, at++, 0, 1, &plain);
		for (long i = 0; i < padding; i++) NAME(put)(out, how->pad == '_' ? " " : "0", 0, 1, &plain);
		how->width = how->pad == '_' && how->width > padding ? how->width - padding : 0;
	}
	NAME(put)(out, at, 0, text + sizeof text - at, how);
}

static void NAME(put_field)(struct NAME(output) *out, int value, int least, struct conversion *how)
{
	static const unsigned powers[] = {1, 10, 100, 1000, 10000};
	int digits = least > how->width ? least : how->width;
	if (how->pad != '-' && digits <= 4 && (unsigned)value < powers[digits]) NAME(put_digits)(out, value, digits, how);
	else NAME(put_number)(out, value, digits, how);
}

static void NAME(put_format)(struct NAME(output) *out, const char *format, struct conversion *how, const struct tm *tm, locale_t locale)
{
	CHAR wide[32];
	size_t start = out->used, i = 0;
	do wide[i] = format[i];
	while (format[i++]);
	if (how->width > 0) {
		struct NAME(output) measured = {0, -1, 0, 0};
		NAME(run)(&measured, wide, tm, locale);
		how->width -= measured.used < (size_t)how->width ? (int)measured.used : how->width;
		NAME(put)(out, "", 0, 0, how);
	}
	NAME(run)(out, wide, tm, locale);
	for (i = start; how->upper && out->to && i < out->used; i++) out->to[i] = UPPER(out->to[i]);
}

/* The year and the week of ISO 8601. */
static void NAME(put_iso)(struct NAME(output) *out, int letter, struct conversion *how, const struct tm *tm)
{
	int year = 1900u + tm->tm_year, days = days_of_iso_year(tm->tm_yday, tm->tm_wday);
	if (days < 0) days = days_of_iso_year(tm->tm_yday + days_of_year(--year), tm->tm_wday);
	else {
		int of_next = days_of_iso_year(tm->tm_yday - days_of_year(year), tm->tm_wday);
		if (of_next >= 0) year++, days = of_next;
	}
	if (letter == 'V') NAME(put_field)(out, days / 7 + 1, 2, how);
	else if (letter == 'G') NAME(put_field)(out, year, 1, how);
	else NAME(put_field)(out, (year % 100 + 100) % 100, 2, how);
}

static void NAME(put_offset)(struct NAME(output) *out, struct conversion *how, const struct tm *tm)
{
	int minutes = (int)tm->__tm_gmtoff / 60;
	if (tm->tm_isdst < 0) return;
	NAME(put_text)(out, tm->__tm_gmtoff < 0 ? "-" : "+", how);
	if (minutes < 0) minutes = -minutes;
	NAME(put_field)(out, minutes / 60 * 100 + minutes % 60, 4, how);
}

static void NAME(put_seconds)(struct NAME(output) *out, struct conversion *how, const struct tm *tm)
{
	struct tm copy = *tm;
	NAME(put_number)(out, mktime(&copy), 1, how);
}

/* One conversion; false: there is none of this letter. */
static int NAME(convert)(struct NAME(output) *out, int letter, struct conversion *how, const struct tm *tm, locale_t locale)
{
	int year = 1900u + tm->tm_year, hour = tm->tm_hour > 12 ? tm->tm_hour - 12 : tm->tm_hour ? tm->tm_hour : 12;
	if (strchr("bBaAh", letter) && how->change) how->upper = 1;
	if (strchr("pPZ", letter)) {
		how->lower = letter == 'P' || how->change;
		if (how->change) how->upper = 0;
	}
	if (strchr("ekl", letter) && how->pad != '0' && how->pad != '-') how->pad = '_';
	switch (letter) {
#define TEXT(x) NAME(put_text)(out, x, how); break
#define FORMAT(x) NAME(put_format)(out, x, how, tm, locale); break
#define FIELD(x, least) NAME(put_field)(out, x, least, how); break
	case '%': TEXT("%");
	case 'n': TEXT("\n");
	case 't': TEXT("\t");
	case 'a': TEXT((unsigned)tm->tm_wday > 6 ? "?" : nl_langinfo_l(ABDAY_1 + tm->tm_wday, locale));
	case 'A': TEXT((unsigned)tm->tm_wday > 6 ? "?" : nl_langinfo_l(DAY_1 + tm->tm_wday, locale));
	case 'b': case 'h': TEXT((unsigned)tm->tm_mon > 11 ? "?" : nl_langinfo_l(ABMON_1 + tm->tm_mon, locale));
	case 'B': TEXT((unsigned)tm->tm_mon > 11 ? "?" : nl_langinfo_l(MON_1 + tm->tm_mon, locale));
	case 'p': case 'P': TEXT(nl_langinfo_l(tm->tm_hour > 11 ? PM_STR : AM_STR, locale));
	case 'Z': NAME(put_zone)(out, name_of_zone(tm), how); break;
	case 'c': FORMAT(nl_langinfo_l(D_T_FMT, locale));
	case 'x': FORMAT(nl_langinfo_l(D_FMT, locale));
	case 'X': FORMAT(nl_langinfo_l(T_FMT, locale));
	case 'r': FORMAT(nl_langinfo_l(T_FMT_AMPM, locale));
	case 'D': FORMAT("%m/%d/%y");
	case 'F': FORMAT("%Y-%m-%d");
	case 'R': FORMAT("%H:%M");
	case 'T': FORMAT("%H:%M:%S");
	case 'C': FIELD(year / 100 - (year % 100 < 0), 1);
	case 'd': case 'e': FIELD(tm->tm_mday, 2);
	case 'H': case 'k': FIELD(tm->tm_hour, 2);
	case 'I': case 'l': FIELD(hour, 2);
	case 'j': FIELD(tm->tm_yday + 1, 3);
	case 'm': FIELD(tm->tm_mon + 1, 2);
	case 'M': FIELD(tm->tm_min, 2);
	case 'S': FIELD(tm->tm_sec, 2);
	case 'u': FIELD((tm->tm_wday - 1 + 7) % 7 + 1, 1);
	case 'w': FIELD(tm->tm_wday, 1);
	case 'U': FIELD((tm->tm_yday - tm->tm_wday + 7) / 7, 2);
	case 'W': FIELD((tm->tm_yday - (tm->tm_wday - 1 + 7) % 7 + 7) / 7, 2);
	case 'y': FIELD((tm->tm_year % 100 + 100) % 100, 2);
	case 'Y': FIELD(year, 1);
	case 'V': case 'g': case 'G': NAME(put_iso)(out, letter, how, tm); break;
	case 's': NAME(put_seconds)(out, how, tm); break;
	case 'z': NAME(put_offset)(out, how, tm); break;
	default: return 0;
	}
	return 1;
}

static void NAME(run)(struct NAME(output) *out, const CHAR *format, const struct tm *tm, locale_t locale)
{
	for (; *format && !out->is_full; format++) {
		const CHAR *start = format;
		struct conversion how = {.width = -1};
		if (*format != '%') {
			NAME(put)(out, format, 1, 1, &how);
			continue;
		}
		while (*++format == '_' || *format == '-' || *format == '0' || *format == '^' || *format == '#') {
			if (*format == '^') how.upper = 1;
			else if (*format == '#') how.change = 1;
			else how.pad = *format;
		}
		for (; (unsigned)*format - '0' < 10; format++) {
			if (how.width < 0) how.width = 0;
			how.width = how.width > (INT_MAX - (*format - '0')) / 10 ? INT_MAX : how.width * 10 + (*format - '0');
		}
		if (*format == 'E' || *format == 'O') how.modifier = *format++;
		if (*format > 0 && *format < 128 && !strchr(refused_with(how.modifier), *format) &&
			NAME(convert)(out, *format, &how, tm, locale))
			continue;
		/* Text that is not a conversion is copied, from the last percent sign on. */
		if (!*format) format--;
		if (*format == '%') start = format;
		if ((*format == 'b' || *format == 'h') && how.change) how.upper = 1;
		NAME(put)(out, start, 1, format - start + 1, &how);
	}
}

static size_t NAME(format)(CHAR *to, size_t room, const CHAR *format, const struct tm *tm, locale_t locale)
{
	struct NAME(output) out = {to, room, 0, 0};
	NAME(run)(&out, format, tm, locale);
	if (out.is_full) return 0;
	if (to && room) to[out.used] = 0;
	return out.used;
}
