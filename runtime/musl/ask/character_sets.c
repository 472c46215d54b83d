/* Asks this machine's iconv for the names of its character sets, what each byte of a set of one byte stands for, and what it
 * writes in place of a character that ASCII lacks. Set-up runs it (see ../prepare.py); runtime/glibc/iconv.c reads what it prints. */
#define _GNU_SOURCE
#include <errno.h>
#include <iconv.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NONE = 0xffff, MOST_SETS = 400, MOST_NAMES = 4000, PROBE = 8192 };

/* Sets that iconv.c has rules for, or musl tables: the name of the rule and a name of the set. */
static const char *const known[][2] = {
	{"UTF_8", "UTF-8"}, {"UTF_16", "UTF-16"}, {"UTF_16LE", "UTF-16LE"}, {"UTF_16BE", "UTF-16BE"}, {"UTF_32", "UTF-32"},
	{"UTF_32LE", "UTF-32LE"}, {"UTF_32BE", "UTF-32BE"}, {"UCS_2", "UCS-2"}, {"UCS_2BE", "UCS-2BE"}, {"UNICODE", "UNICODE"},
	{"UCS_4", "UCS-4"}, {"UCS_4LE", "UCS-4LE"}, {"INTERNAL", "INTERNAL"}, {"EUC_JP", "EUC-JP"}, {"SHIFT_JIS", "SHIFT_JIS"},
	{"ISO_2022_JP", "ISO-2022-JP"}, {"EUC_KR", "EUC-KR"}, {"GBK", "GBK"}, {"GB2312", "GB2312"}, {"GB18030", "GB18030"},
	{"BIG5", "BIG5"},
};
enum { KNOWN = sizeof known / sizeof *known };

static char *names[MOST_NAMES];
static unsigned name_count;
static unsigned short tables[MOST_SETS][256];
static unsigned table_count;
static unsigned char probes[KNOWN][PROBE];

static void fail(const char *why)
{
	fprintf(stderr, "character_sets.c: %s\n", why);
	exit(1);
}

/* Converts, and gives the number of bytes written, or -1 and errno. */
static long converted(iconv_t set, const char *from, size_t size, void *to, size_t room)
{
	char *in = (char *)from, *out = to;
	size_t left = room;
	iconv(set, 0, 0, 0, 0);
	if (iconv(set, &in, &size, &out, &left) == (size_t)-1) return -1;
	return room - left;
}

/* Returns 1 and the characters of all bytes if each byte alone is one character or none. */
static int is_of_one_byte(const char *name, unsigned short table[256])
{
	iconv_t set = iconv_open("UCS-4LE", name);
	int one = set != (iconv_t)-1;
	for (unsigned byte = 0; one && byte < 256; byte++) {
		char letter = byte;
		unsigned code[4];
		errno = 0;
		long size = converted(set, &letter, 1, code, sizeof code);
		one = size < 0 ? errno == EILSEQ : size == 4 && code[0] < NONE;
		table[byte] = size < 0 ? NONE : code[0];
	}
	if (set != (iconv_t)-1) iconv_close(set);
	return one;
}

static unsigned put(unsigned char *answers, unsigned at, const unsigned char *bytes, long size)
{
	if (at + 12 > PROBE) fail("the answers of a set are too long");
	answers[at++] = size;
	for (long i = 0; i < size && i < 8; i++) answers[at++] = bytes[i];
	return at;
}

/* What a set answers to some characters and some bytes: equal for two names of one set. */
static void probe(const char *name, unsigned char answers[PROBE])
{
	static const unsigned codes[] = {'A', '\\', '~', 0xe4, 0x20ac, 0x3042, 0xff71, 0x4e00, 0xac00, 0x9fa0, 0xe000, 0x1f600, 0xd800};
	static const char bytes[][5] = {"\xff\xfe" "A", "\xfe\xff\0A", "A\0\0", "\0\0\0A", "\xd8\0\xdc\0", "\0\xd8\0\xdc", "+AGE", "\x5c", "\x7e"};
	unsigned char out[40];
	unsigned at = 0;
	iconv_t to = iconv_open(name, "UCS-4LE"), from = iconv_open("UCS-4LE", name);
	if (to == (iconv_t)-1 || from == (iconv_t)-1) return;
	for (unsigned i = 0; i < sizeof codes / sizeof *codes; i++)
		at = put(answers, at, out, converted(to, (const char *)&codes[i], 4, out, sizeof out));
	for (unsigned i = 0; i < sizeof bytes / sizeof *bytes; i++)
		at = put(answers, at, out, converted(from, bytes[i], strlen(bytes[i]) < 3 ? 1 : 4, out, sizeof out));
	for (unsigned first = 0x80; first < 0x100; first += 5)
		for (unsigned second = 0x30; second < 0x100; second += 13) {
			char pair[] = {first, second};
			at = put(answers, at, out, converted(from, pair, 2, out, sizeof out));
		}
	iconv_close(to);
	iconv_close(from);
}

static int in_order(const void *a, const void *b) { return strcmp(*(char **)a, *(char **)b); }

/* Names as iconv compares them, without the slashes at the end. */
static void read_names(void)
{
	char line[200];
	FILE *list = popen("iconv -l", "r");
	while (list && fgets(line, sizeof line, list)) {
		size_t length = strcspn(line, "\n");
		while (length && line[length - 1] == '/') length--;
		line[length] = 0;
		if (!length || name_count == MOST_NAMES) continue;
		names[name_count++] = strdup(line);
	}
	if (!list || pclose(list) || !name_count) fail("the command iconv -l does not list the character sets of this machine");
	names[name_count++] = "WCHAR_T";
	qsort(names, name_count, sizeof *names, in_order);
}

/* Prints the name, and its set: a rule, a table, or OTHER. */
static void print_name(const char *name)
{
	static unsigned char answers[PROBE];
	unsigned at = 0;
	printf("SET_NAME(\"%s\", ", name);
	if (is_of_one_byte(name, tables[table_count])) {
		while (memcmp(tables[at], tables[table_count], sizeof *tables)) at++;
		if (at == table_count && ++table_count == MOST_SETS) fail("there are too many character sets");
		printf("ONE_BYTE + %u)\n", at);
		return;
	}
	memset(answers, 0, sizeof answers);
	probe(name, answers);
	while (at < KNOWN && memcmp(answers, probes[at], PROBE)) at++;
	printf("%s)\n", at < KNOWN ? known[at][0] : "OTHER");
}

static void print_tables(void)
{
	printf("#ifdef ONE_BYTE_SETS\nstatic const unsigned short one_byte[%u][256] = {\n", table_count);
	for (unsigned i = 0; i < table_count; i++) {
		printf("{");
		for (unsigned byte = 0; byte < 256; byte++) printf("%u,", tables[i][byte]);
		printf("},\n");
	}
	printf("};\n#endif\n");
}

/* Texts of ASCII for other characters, as //TRANSLIT writes them; a question mark stands for all that are not printed.
 * The present locale has them. */
static void print_transliterations(const char *macro)
{
	iconv_t set = iconv_open("ASCII//TRANSLIT", "UCS-4LE");
	if (set == (iconv_t)-1) fail("iconv does not write ASCII");
	for (unsigned code = 0x80; code < 0x20000; code++) {
		char text[40];
		long size = converted(set, (const char *)&code, 4, text, sizeof text - 1);
		if (size < 0 || (size == 1 && *text == '?')) continue;
		text[size] = 0;
		printf("%s(0x%x, \"", macro, code);
		for (char *at = text; *at; at++) printf(*at == '"' || *at == '\\' || *at == '?' ? "\\%c" : "%c", *at);
		printf("\")\n");
	}
}

int main(void)
{
	printf("/* Made by set-up from this machine's C library. */\n#ifdef SET_NAME\n");
	read_names();
	for (unsigned i = 0; i < KNOWN; i++) probe(known[i][1], probes[i]);
	for (unsigned i = 0; i < name_count; i++) print_name(names[i]);
	printf("#endif\n");
	print_tables();
	printf("#ifdef TRANSLITERATION\n");
	print_transliterations("TRANSLITERATION");
	printf("#endif\n#ifdef TRANSLITERATION_OF_UTF8\n");
	if (setlocale(LC_ALL, "C.UTF-8")) print_transliterations("TRANSLITERATION_OF_UTF8");
	printf("#endif\n");
	return 0;
}
