/* A width or a position, less than 0 if it is no int (then there is no limit). */
static int homi_scan_width(const wchar_t **format)
{
	int width = 0;
	for (; **format - '0' < 10U; ++*format) {
		int digit = **format - '0';
		width = width < 0 || width > (INT_MAX - digit) / 10 ? -1 : 10 * width + digit;
	}
	return width;
}

/* True if a set in brackets has a character. "b-a" is three characters, and a hyphen may start a range whose first
 * character is the one before. */
static int in_set(const wchar_t *set, int c)
{
	const wchar_t *p = set;
	if (*p == '-' || *p == ']')
		if (c == *p++) return 1;
	for (; *p && *p != ']'; p++) {
		if (*p == '-' && p > set && p[1] && p[1] != ']' && p[-1] <= p[1]) {
			if (c >= p[-1] && c < p[1]) return 1;
		} else if (c == *p) return 1;
	}
	return 0;
}
