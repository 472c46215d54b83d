/* Asks this machine's C library for classes, widths and other cases of all characters in C.UTF-8, and prints them as C: tables of
 * two levels, pages of 256 characters upon blocks that differ, for the planes 0 to 3; ranges for what is above, and for classes
 * that have but a few. Set-up runs it (see ../prepare.py); runtime/glibc/wide_characters.c reads what it prints. */
#define _GNU_SOURCE
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>
#include <wctype.h>

enum { END = 0x110000, TABLE_END = 0x40000, PAGES = TABLE_END / 256, FEW = 12 };

static unsigned char value[END];
static unsigned char blocks[256][256];

static void fail(const char *why)
{
	fprintf(stderr, "wide_characters.c: %s\n", why);
	exit(1);
}

static void bytes(const char *name, const char *part, const unsigned char *from, unsigned count)
{
	printf("static const unsigned char %s_%s[%u] = {", name, part, count);
	for (unsigned i = 0; i < count; i++) printf("%s%u,", i % 32 ? "" : "\n", from[i]);
	printf("\n};\n");
}

/* The ranges from a character on whose value is the wanted one; printed as an expression unless only counted. */
static unsigned ranges(unsigned from, unsigned wanted, int print)
{
	unsigned found = 0;
	for (unsigned c = from, end; c < END; c = end) {
		for (end = c + 1; end < END && value[end] == value[c]; end++);
		if (value[c] != wanted) continue;
		if (print) printf(" | BETWEEN(c, 0x%x, 0x%x)", c, end - 1);
		found++;
	}
	return found;
}

/* Pages and blocks of the values, of which a byte of a block holds as many as fit. */
static void table(const char *name, unsigned bits)
{
	static unsigned char page[PAGES], packed[256 * 256];
	unsigned count = 0, per_byte = 8 / bits, size = 256 / per_byte;
	for (unsigned p = 0; p < PAGES; p++) {
		unsigned at = 0;
		while (at < count && memcmp(blocks[at], value + p * 256, 256)) at++;
		if (at == 256) fail("more blocks than a byte can count");
		if (at == count) memcpy(blocks[count++], value + p * 256, 256);
		page[p] = at;
	}
	memset(packed, 0, sizeof packed);
	for (unsigned i = 0; i < count * 256; i++) packed[i / per_byte] |= blocks[i / 256][i % 256] << i % per_byte * bits;
	bytes(name, "pages", page, PAGES);
	bytes(name, "blocks", packed, count * size);
}

static void class_of_characters(const char *name)
{
	wctype_t class = wctype(name);
	for (unsigned c = 0; c < END; c++) value[c] = !!iswctype(c, class);
	int few = ranges(0, 1, 0) <= FEW;
	if (!few) table(name, 1);
	printf("#define IN_%s(c) (0", name);
	if (!few) printf(" | IN_TABLE(%s, c)", name);
	ranges(few ? 0 : TABLE_END, 1, 1);
	printf(")\n");
}

/* 0 for a width of -1, which all have that cannot be printed. */
static void widths(void)
{
	wctype_t print = wctype("print");
	for (unsigned c = 0; c < END; c++) {
		value[c] = wcwidth(c) + 1;
		if (value[c] > 3) fail("a character is wider than two columns");
		if (c && !value[c] != !iswctype(c, print)) fail("a width is not that of a printable character");
	}
	table("width", 2);
	printf("#define WIDTH(c) (WIDTH_IN_TABLE(c)");
	for (unsigned width = 1; width <= 3; width++) {
		printf(" | %u * (0", width);
		ranges(TABLE_END, width, 1);
		printf(")");
	}
	printf(")\n");
}

/* Each character has the number of a triple of differences: to lower case, to upper case, to title case. */
static void cases(void)
{
	static const char *const names[] = {"tolower", "toupper", "totitle"};
	int differences[256][3] = {{0}};
	unsigned count = 1;
	for (unsigned c = 0; c < END; c++) {
		int triple[3];
		unsigned at = 0;
		for (int i = 0; i < 3; i++) triple[i] = (int)(towctrans(c, wctrans(names[i])) - c);
		while (at < count && memcmp(differences[at], triple, sizeof triple)) at++;
		if (at == 256) fail("more changes of case than a byte can count");
		if (at && c >= TABLE_END) fail("a letter is above the tables");
		if (at == count) memcpy(differences[count++], triple, sizeof triple);
		value[c] = at;
	}
	table("case", 8);
	for (int i = 0; i < 3; i++) {
		printf("static const int %s_difference[] = {", names[i]);
		for (unsigned at = 0; at < count; at++) printf("%d,", differences[at][i]);
		printf("};\n");
	}
}

int main(void)
{
	static const char *const classes[] = {"upper", "lower", "alpha", "digit", "xdigit", "space", "blank", "cntrl", "punct", "combining",
		"combining_level3"};
	if (!setlocale(LC_ALL, "C.UTF-8")) fail("this machine has no locale C.UTF-8");
	printf("/* Made by set-up from this machine's C library. */\n");
	for (unsigned i = 0; i < sizeof classes / sizeof *classes; i++) class_of_characters(classes[i]);
	widths();
	cases();
	return 0;
}
