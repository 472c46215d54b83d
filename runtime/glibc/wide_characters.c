/* Classes, cases and widths of wide characters, in the C locale and in those with UTF-8, by tables that set-up asks the machine's C
 * library for (../musl/ask/wide_characters.c); musl's are of another version of Unicode and of other rules. ASCII is separated from the
 * rest by a branch, which the conversion of a symbolic text has decided already; behind it answers are arithmetic, because a branch
 * on a symbolic character is a fork. */
#include <ctype.h>
#include <string.h>
#include <wchar.h>
#include <wctype.h>
#include "locale_impl.h"

#define BETWEEN(c, low, high) ((c) - (low) <= (unsigned)((high) - (low)))
/* The place of a character in a table of pages: a byte of its block; characters above the tables are taken for low ones. */
#define BYTE_IN_TABLE(name, c, per_byte) \
	name##_blocks[name##_pages[(c) >> 8 & sizeof name##_pages - 1] * (256 / (per_byte)) + ((c) & 255) / (per_byte)]
#define IS_IN_TABLES(c) ((c) >> 8 < sizeof width_pages)
#define IN_TABLE(name, c) ((unsigned)BYTE_IN_TABLE(name, c, 8) >> ((c) & 7) & IS_IN_TABLES(c))
#define WIDTH_IN_TABLE(c) (((unsigned)BYTE_IN_TABLE(width, c, 4) >> ((c) & 3) * 2 & 3) * IS_IN_TABLES(c))
#include "homi_wide_tables.h"
#define IN_print(c) (WIDTH(c) != 0)
#define IN_graph(c) (IN_print(c) & !IN_space(c))
#define IN_alnum(c) (IN_alpha(c) | IN_digit(c))

#define IS_UTF8(locale) ((locale)->cat[LC_CTYPE] != 0)

/* ASCII has the narrow function's answer, as in glibc, except for digits; the C locale has nothing else. */
static int is_narrow_digit(unsigned c) { return IN_digit(c); }
#define DEFINE_CLASS(name, narrow) \
	static int is_##name(unsigned c, int is_utf8) \
	{ \
		if (!is_utf8 || c < 128) return narrow(c); \
		return IN_##name(c); \
	} \
	int (isw##name)(wint_t c) { return is_##name(c, CURRENT_UTF8); } \
	int __isw##name##_l(wint_t c, locale_t locale) { return is_##name(c, IS_UTF8(locale)); } \
	weak_alias(__isw##name##_l, isw##name##_l);

DEFINE_CLASS(alnum, (isalnum))
DEFINE_CLASS(alpha, (isalpha))
DEFINE_CLASS(blank, (isblank))
DEFINE_CLASS(cntrl, (iscntrl))
DEFINE_CLASS(digit, is_narrow_digit)
DEFINE_CLASS(graph, (isgraph))
DEFINE_CLASS(lower, (islower))
DEFINE_CLASS(print, (isprint))
DEFINE_CLASS(punct, (ispunct))
DEFINE_CLASS(space, (isspace))
DEFINE_CLASS(upper, (isupper))
DEFINE_CLASS(xdigit, (isxdigit))

static int is_combining(unsigned c, int is_utf8) { return is_utf8 & IN_combining(c); }
static int is_combining_level3(unsigned c, int is_utf8) { return is_utf8 & IN_combining_level3(c); }

/* A class by name is the class of the locale in which it was asked for. */
enum { OF_UTF8 = 64 };
static const struct {
	char name[17];
	int (*is_member)(unsigned, int);
} classes[] = {
	{"alnum", is_alnum}, {"alpha", is_alpha}, {"blank", is_blank}, {"cntrl", is_cntrl}, {"digit", is_digit}, {"graph", is_graph},
	{"lower", is_lower}, {"print", is_print}, {"punct", is_punct}, {"space", is_space}, {"upper", is_upper}, {"xdigit", is_xdigit},
	{"combining", is_combining}, {"combining_level3", is_combining_level3},
};
enum { CLASSES = sizeof classes / sizeof *classes, CLASSES_OF_C = 12 };

static wctype_t class_named(const char *name, int is_utf8)
{
	for (unsigned i = 0; i < (is_utf8 ? CLASSES : CLASSES_OF_C); i++)
		if (!strcmp(classes[i].name, name)) return i + 1 + is_utf8 * OF_UTF8;
	return 0;
}
wctype_t wctype(const char *name) { return class_named(name, CURRENT_UTF8); }
wctype_t __wctype_l(const char *name, locale_t locale) { return class_named(name, IS_UTF8(locale)); }
weak_alias(__wctype_l, wctype_l);

int iswctype(wint_t c, wctype_t class)
{
	unsigned number = (class & OF_UTF8 - 1) - 1;
	return number < CLASSES && classes[number].is_member(c, (class & OF_UTF8) != 0) != 0;
}
int __iswctype_l(wint_t c, wctype_t class, locale_t locale) { return iswctype(c, class); }
weak_alias(__iswctype_l, iswctype_l);

#define DEFINE_CASE(name, narrow) \
	static wint_t change_##name(unsigned c, int is_utf8) \
	{ \
		if (!is_utf8 || c < 128) return (narrow)(c); \
		return c + name##_difference[BYTE_IN_TABLE(case, c, 1)] * IS_IN_TABLES(c); \
	}
DEFINE_CASE(tolower, tolower)
DEFINE_CASE(toupper, toupper)
DEFINE_CASE(totitle, toupper)

wint_t towlower(wint_t c) { return change_tolower(c, CURRENT_UTF8); }
wint_t towupper(wint_t c) { return change_toupper(c, CURRENT_UTF8); }
wint_t __towlower_l(wint_t c, locale_t locale) { return change_tolower(c, IS_UTF8(locale)); }
wint_t __towupper_l(wint_t c, locale_t locale) { return change_toupper(c, IS_UTF8(locale)); }
weak_alias(__towlower_l, towlower_l);
weak_alias(__towupper_l, towupper_l);

/* A change of case by name is one of the locale in which it was asked for, too. */
static wctrans_t change_named(const char *name, int is_utf8)
{
	long number = !strcmp(name, "tolower") ? 1 : !strcmp(name, "toupper") ? 2 : is_utf8 && !strcmp(name, "totitle") ? 3 : 0;
	return (wctrans_t)(number ? number + is_utf8 * OF_UTF8 : 0);
}
wctrans_t wctrans(const char *name) { return change_named(name, CURRENT_UTF8); }
wctrans_t __wctrans_l(const char *name, locale_t locale) { return change_named(name, IS_UTF8(locale)); }
weak_alias(__wctrans_l, wctrans_l);

wint_t towctrans(wint_t c, wctrans_t change)
{
	int is_utf8 = ((long)change & OF_UTF8) != 0;
	switch ((long)change & OF_UTF8 - 1) {
	case 1: return change_tolower(c, is_utf8);
	case 2: return change_toupper(c, is_utf8);
	case 3: return change_totitle(c, is_utf8);
	}
	return c;
}
wint_t __towctrans_l(wint_t c, wctrans_t change, locale_t locale) { return towctrans(c, change); }
weak_alias(__towctrans_l, towctrans_l);

int wcwidth(wchar_t wide)
{
	unsigned c = wide;
	if (c < 128 || !CURRENT_UTF8) return 2 * BETWEEN(c, 0x20, 0x7e) + !c - 1;
	return (int)WIDTH(c) - 1;
}
