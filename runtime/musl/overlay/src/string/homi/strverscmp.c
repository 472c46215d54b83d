/* As glibc: numbers by value, numbers that begin with zeros as fractions; musl also takes a number for greater than text. */
#include <ctype.h>
#include <string.h>

int strverscmp(const char *l0, const char *r0)
{
	const unsigned char *l = (const void *)l0, *r = (const void *)r0;
	enum { TEXT, NUMBER, ZEROS, FRACTION } prefix = TEXT;
	for (; *l == *r; l++, r++) {
		if (!*l) return 0;
		if (!isdigit(*l)) prefix = TEXT;
		else if (prefix == TEXT) prefix = *l == '0' ? ZEROS : NUMBER;
		else if (prefix == ZEROS && *l != '0') prefix = FRACTION;
	}
	int difference = *l - *r, one = isdigit(*l), other = isdigit(*r);
	if (one != other && (prefix == NUMBER || prefix == ZEROS)) return one == (prefix == NUMBER) ? 1 : -1;
	if (!one || !other || prefix == ZEROS || prefix == FRACTION) return difference;
	if (prefix == TEXT && (*l == '0' || *r == '0')) return difference;
	while (isdigit(*l) && isdigit(*r)) l++, r++;
	return isdigit(*l) ? 1 : isdigit(*r) ? -1 : difference;
}
