#ifndef HOMI_ICONV_H
#define HOMI_ICONV_H

#include <string.h>
#include <strings.h>

/* iconv as glibc's where a character does not exist in the target: an error, unless the target's name ends in //TRANSLIT
 * (something similar, or a question mark) or //IGNORE (left out, and an error once all is converted). musl writes a star. */
enum { HOMI_TRANSLIT = 1, HOMI_IGNORE = 2 };

/* Copies a character set's name without what follows two slashes; what that asks for. */
static int homi_iconv_name(char *name, size_t room, const char *given)
{
	const char *suffix = strstr(given, "//");
	size_t length = suffix ? (size_t)(suffix - given) : strlen(given);
	int flags = 0;
	if (length >= room) length = room - 1;
	memcpy(name, given, length);
	name[length] = 0;
	while (suffix && *suffix) {
		suffix += strspn(suffix, "/,");
		size_t word = strcspn(suffix, "/,");
		if (word == 8 && !strncasecmp(suffix, "TRANSLIT", 8)) flags |= HOMI_TRANSLIT;
		if (word == 6 && !strncasecmp(suffix, "IGNORE", 6)) flags |= HOMI_IGNORE;
		suffix += word;
	}
	return flags;
}

/* ASCII for some characters, as in glibc's C locale. */
static const char *homi_transliteration(unsigned c)
{
	static const struct { unsigned short code; char text[6]; } known[] = {
		{ 0xa0, " " }, { 0xa9, "(C)" }, { 0xab, "<<" }, { 0xad, "-" }, { 0xae, "(R)" }, { 0xb5, "u" }, { 0xb8, "," },
		{ 0xbb, ">>" }, { 0xc6, "AE" }, { 0xd7, "x" }, { 0xdf, "ss" }, { 0xe6, "ae" }, { 0x152, "OE" }, { 0x153, "oe" },
		{ 0x2010, "-" }, { 0x2011, "-" }, { 0x2012, "-" }, { 0x2013, "-" }, { 0x2014, "-" }, { 0x2018, "'" }, { 0x2019, "'" },
		{ 0x201a, "," }, { 0x201b, "'" }, { 0x201c, "\"" }, { 0x201d, "\"" }, { 0x201e, ",," }, { 0x2020, "+" }, { 0x2022, "o" },
		{ 0x2026, "..." }, { 0x2039, "<" }, { 0x203a, ">" }, { 0x20ac, "EUR" }, { 0x2122, "TM" }, { 0xfb00, "ff" },
		{ 0xfb01, "fi" }, { 0xfb02, "fl" },
	};
	for (size_t i = 0; i < sizeof known / sizeof *known; i++)
		if (known[i].code == c) return known[i].text;
	return "?";
}

#endif
