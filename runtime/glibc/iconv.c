/* iconv as glibc's: names of sets, byte order marks, what a target lacks. Set-up asks the machine for names, for sets of one
 * byte and for transliterations (runtime/musl/ask/character_sets.c). musl has the tables of East Asian sets; a set without
 * either is an unsupported feature. */
#include <ctype.h>
#include <errno.h>
#include <iconv.h>
#include <langinfo.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

enum set {
	UTF_8, UTF_16, UTF_16LE, UTF_16BE, UTF_32, UTF_32LE, UTF_32BE, UCS_2, UCS_2BE, UNICODE, UCS_4, UCS_4LE, INTERNAL,
	EUC_JP, SHIFT_JIS, ISO_2022_JP, EUC_KR, GBK, GB2312, GB18030, BIG5, OTHER, ONE_BYTE
};
enum { TRANSLITERATE = 1, IGNORE = 2 };
/* Answers about one character, besides the number of its bytes. */
enum { NO_ROOM = -3, INCOMPLETE = -2, NO_SUCH = -1 };
enum { NOTHING = -1u, NONE = 0xffff, LONGEST = 8 };

#define ONE_BYTE_SETS
#include "homi_character_sets.h"
#undef ONE_BYTE_SETS

struct converter {
	int from, to;
	unsigned flags;
	int is_big; /* the byte order that a mark has told */
	int is_begun, is_marked;
	iconv_t reader, writer; /* musl's, upon wide characters */
};

_Noreturn void homi_unsupported(const char *what);
iconv_t __homi_iconv_open(const char *, const char *);
size_t __homi_iconv(iconv_t, char **restrict, size_t *restrict, char **restrict, size_t *restrict);
int __homi_iconv_close(iconv_t);

static const struct { char name[24]; int set; } sets[] = {
#define SET_NAME(name, set) { name, set },
#include "homi_character_sets.h"
#undef SET_NAME
};

static int find_set(const char *name)
{
	for (size_t i = 0; i < sizeof sets / sizeof *sets; i++)
		if (!strcmp(sets[i].name, name)) return sets[i].set;
	return -1;
}

/* The name as sets have it; what begins behind the second slash asks for something. */
static unsigned read_name(const char *given, char name[64])
{
	size_t length = 0, slashes = 0;
	unsigned flags = 0;
	for (; *given && (slashes += *given == '/') < 2; given++)
		if (length < 63 && (isalnum((unsigned char)*given) || strchr("_-.,:/", *given)))
			name[length++] = toupper((unsigned char)*given);
	while (length && name[length - 1] == '/') length--;
	name[length] = 0;
	while (*given) {
		given += strspn(given, "/,");
		size_t word = strcspn(given, "/,");
		if (word == 8 && !strncasecmp(given, "TRANSLIT", 8)) flags |= TRANSLITERATE;
		if (word == 6 && !strncasecmp(given, "IGNORE", 6)) flags |= IGNORE;
		given += word;
	}
	if (!length) strcpy(name, nl_langinfo(CODESET));
	return flags;
}

static int is_musls(int set) { return set >= EUC_JP && set < OTHER; }

static _Noreturn void lacks(const char *name)
{
	char text[100];
	snprintf(text, sizeof text, "iconv_open of the character set %s", name);
	homi_unsupported(text);
}

iconv_t iconv_open(const char *to, const char *from)
{
	static const char names[][12] = {"eucjp", "shiftjis", "iso2022jp", "euckr", "gbk", "gb2312", "gb18030", "big5"};
	char to_name[64], from_name[64];
	struct converter *made = calloc(1, sizeof *made);
	if (!made) return (iconv_t)-1;
	made->flags = read_name(to, to_name);
	read_name(from, from_name);
	made->to = find_set(to_name);
	made->from = find_set(from_name);
	if (made->to < 0 || made->from < 0) {
		free(made);
		errno = EINVAL;
		return (iconv_t)-1;
	}
	if (made->to == OTHER || made->to >= EUC_KR && made->to < OTHER) lacks(to_name);
	if (made->from == OTHER) lacks(from_name);
	if (is_musls(made->from)) made->reader = __homi_iconv_open("wchart", names[made->from - EUC_JP]);
	if (is_musls(made->to)) made->writer = __homi_iconv_open(names[made->to - EUC_JP], "wchart");
	return made;
}

int iconv_close(iconv_t given)
{
	struct converter *made = given;
	if (made->reader) __homi_iconv_close(made->reader);
	if (made->writer) __homi_iconv_close(made->writer);
	free(made);
	return 0;
}

static unsigned get(const unsigned char *from, int size, int is_big)
{
	unsigned value = 0;
	for (int i = 0; i < size; i++) value |= (unsigned)from[i] << 8 * (is_big ? size - 1 - i : i);
	return value;
}

static int put(unsigned char *to, size_t room, unsigned value, int size, int is_big)
{
	if (room < (size_t)size) return NO_ROOM;
	for (int i = 0; i < size; i++) to[i] = value >> 8 * (is_big ? size - 1 - i : i);
	return size;
}

static int is_surrogate(unsigned code) { return code - 0xd800 < 0x800; }

/* The bytes of a sequence that is cut off or wrong count in *length, at least one. */
static int read_utf8(const unsigned char *from, size_t size, unsigned *code, int *length)
{
	unsigned first = *from;
	int count = first < 0x80 ? 1 : first < 0xc2 ? 0 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : first < 0xf8 ? 4 : 0, i = 1;
	*code = first;
	if (count == 1) return 1;
	if (!count) {
		while ((size_t)i < size && i < 5 && from[i] >> 6 == 2) i++;
		*length = i;
		return NO_SUCH;
	}
	*code = first & (0x7f >> count);
	for (; i < count && (size_t)i < size && from[i] >> 6 == 2; i++) *code = *code << 6 | (from[i] & 0x3f);
	*length = i;
	if (i < count) return (size_t)i == size ? INCOMPLETE : NO_SUCH;
	if (count > 2 && *code >> (5 * count - 4) == 0) return NO_SUCH;
	return is_surrogate(*code) ? NO_SUCH : count;
}

static int read_16(const unsigned char *from, size_t size, int is_big, int has_pairs, unsigned *code)
{
	if (size < 2) return INCOMPLETE;
	*code = get(from, 2, is_big);
	if (!is_surrogate(*code)) return 2;
	if (!has_pairs || *code >= 0xdc00) return NO_SUCH;
	if (size < 4) return INCOMPLETE;
	unsigned second = get(from + 2, 2, is_big);
	if (second - 0xdc00 >= 0x400) return NO_SUCH;
	*code = 0x10000 + ((*code - 0xd800) << 10) + (second - 0xdc00);
	return 4;
}

static int read_32(const unsigned char *from, size_t size, int is_big, unsigned most, unsigned *code)
{
	if (size < 4) return INCOMPLETE;
	*code = get(from, 4, is_big);
	return *code > most || (most == 0x10ffff && is_surrogate(*code)) ? NO_SUCH : 4;
}

/* One character by musl, which goes on until the room for one is full. */
static int read_by_musl(struct converter *by, const unsigned char *from, size_t size, unsigned *code)
{
	wchar_t wide;
	char *in = (char *)from, *out = (char *)&wide;
	size_t left = size, room = sizeof wide;
	size_t result = __homi_iconv(by->reader, &in, &left, &out, &room);
	*code = room ? NOTHING : (unsigned)wide;
	if (left < size) return size - left;
	return result == (size_t)-1 && errno == EINVAL ? INCOMPLETE : NO_SUCH;
}

/* The mark at the beginning, which tells the byte order. */
static int read_mark(struct converter *by, const unsigned char *from, size_t size, int width)
{
	if (size < (size_t)width) return INCOMPLETE;
	by->is_begun = 1;
	unsigned little = get(from, width, 0), big = get(from, width, 1);
	if (big == 0xfeff) by->is_big = 1;
	return little == 0xfeff || big == 0xfeff ? width : 0;
}

static int read_one(struct converter *by, const unsigned char *from, size_t size, unsigned *code, int *wrong)
{
	const int width = by->from == UTF_32 ? 4 : by->from == UTF_16 || by->from == UNICODE ? 2 : 0;
	*wrong = 1;
	if (by->from >= ONE_BYTE) {
		*code = one_byte[by->from - ONE_BYTE][*from];
		return *code == NONE ? NO_SUCH : 1;
	}
	if (width && !by->is_begun) {
		int mark = read_mark(by, from, size, width);
		*code = NOTHING;
		if (mark) return mark;
	}
	switch (by->from) {
	case UTF_8: return read_utf8(from, size, code, wrong);
	case UTF_16: *wrong = 2; return read_16(from, size, by->is_big, 1, code);
	case UTF_16LE: *wrong = 2; return read_16(from, size, 0, 1, code);
	case UTF_16BE: *wrong = 2; return read_16(from, size, 1, 1, code);
	case UNICODE: *wrong = 2; return read_16(from, size, by->is_big, 0, code);
	case UCS_2: *wrong = 2; return read_16(from, size, 0, 0, code);
	case UCS_2BE: *wrong = 2; return read_16(from, size, 1, 0, code);
	case UTF_32: *wrong = 4; return read_32(from, size, by->is_big, 0x10ffff, code);
	case UTF_32LE: *wrong = 4; return read_32(from, size, 0, 0x10ffff, code);
	case UTF_32BE: *wrong = 4; return read_32(from, size, 1, 0x10ffff, code);
	case UCS_4: *wrong = 4; return read_32(from, size, 1, 0x7fffffff, code);
	case UCS_4LE: *wrong = 4; return read_32(from, size, 0, 0x7fffffff, code);
	case INTERNAL: return read_32(from, size, 0, -1u, code);
	default: return read_by_musl(by, from, size, code);
	}
}

static int write_utf8(unsigned char *to, size_t room, unsigned code)
{
	int count = code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : code < 0x200000 ? 4 : code < 0x4000000 ? 5 : 6;
	if (code > 0x7fffffff || is_surrogate(code)) return NO_SUCH;
	if (room < (size_t)count) return NO_ROOM;
	for (int i = count - 1; i > 0; i--, code >>= 6) to[i] = 0x80 | (code & 0x3f);
	to[0] = count == 1 ? code : 0xff00 >> count | code;
	return count;
}

static int write_16(unsigned char *to, size_t room, unsigned code, int is_big, int has_pairs)
{
	if (is_surrogate(code) || code > (has_pairs ? 0x10ffff : 0xffff)) return NO_SUCH;
	if (code < 0x10000) return put(to, room, code, 2, is_big);
	if (room < 4) return NO_ROOM;
	put(to, 2, 0xd7c0 + (code >> 10), 2, is_big);
	put(to + 2, 2, 0xdc00 + (code & 0x3ff), 2, is_big);
	return 4;
}

static int write_32(unsigned char *to, size_t room, unsigned code, int is_big)
{
	return code > 0x10ffff || is_surrogate(code) ? NO_SUCH : put(to, room, code, 4, is_big);
}

/* The byte is looked up without a branch: a character of input stays one path. */
static int write_byte(unsigned char *to, size_t room, unsigned code, const unsigned short table[256])
{
	unsigned at = 0, is_found = 0;
	if (code >= NONE) return NO_SUCH;
	for (unsigned byte = 256; byte-- > 0;) {
		unsigned is_it = table[byte] == code;
		at = (at & (is_it - 1)) | (byte & -is_it);
		is_found |= is_it;
	}
	return is_found ? put(to, room, at, 1, 0) : NO_SUCH;
}

static int write_by_musl(struct converter *by, unsigned char *to, size_t room, unsigned code)
{
	wchar_t wide = code;
	char *in = (char *)&wide, *out = (char *)to;
	size_t size = sizeof wide, left = room;
	size_t result = __homi_iconv(by->writer, &in, &size, &out, &left);
	if (result == (size_t)-1) return errno == E2BIG ? NO_ROOM : NO_SUCH;
	return result ? NO_SUCH : room - left;
}

static int write_one(struct converter *by, unsigned char *to, size_t room, unsigned code)
{
	switch (by->to) {
	case UTF_8: return write_utf8(to, room, code);
	case UTF_16: case UTF_16LE: return write_16(to, room, code, 0, 1);
	case UTF_16BE: return write_16(to, room, code, 1, 1);
	case UCS_2: case UNICODE: return write_16(to, room, code, 0, 0);
	case UCS_2BE: return write_16(to, room, code, 1, 0);
	case UTF_32: case UTF_32LE: return write_32(to, room, code, 0);
	case UTF_32BE: return write_32(to, room, code, 1);
	case UCS_4: return put(to, room, code, 4, 1);
	case UCS_4LE: case INTERNAL: return put(to, room, code, 4, 0);
	}
	if (by->to >= ONE_BYTE) return write_byte(to, room, code, one_byte[by->to - ONE_BYTE]);
	return write_by_musl(by, to, room, code);
}

struct transliteration { unsigned code; const char *text; };

static const char *find(const struct transliteration *known, size_t count, unsigned code)
{
	size_t low = 0, high = count;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (known[middle].code == code) return known[middle].text;
		if (known[middle].code < code) low = middle + 1;
		else high = middle;
	}
	return 0;
}

/* A locale with UTF-8 has others. */
static const char *transliteration(unsigned code)
{
	static const struct transliteration known[] = {
#define TRANSLITERATION(code, text) { code, text },
#include "homi_character_sets.h"
#undef TRANSLITERATION
	};
	static const struct transliteration of_utf8[] = {
#define TRANSLITERATION_OF_UTF8(code, text) { code, text },
#include "homi_character_sets.h"
#undef TRANSLITERATION_OF_UTF8
	};
	const char *text = MB_CUR_MAX > 1 ? find(of_utf8, sizeof of_utf8 / sizeof *of_utf8, code)
		: find(known, sizeof known / sizeof *known, code);
	return text ? text : "?";
}

/* A text in place of a character, all of it or nothing. */
static int write_instead(struct converter *by, unsigned char *to, size_t room, unsigned code)
{
	int done = 0;
	for (const char *text = transliteration(code); *text; text++) {
		int size = write_one(by, to + done, room - done, *text);
		if (size < 0) return size;
		done += size;
	}
	return done;
}

/* Where the output is to begin with a mark and has none yet. */
static int write_mark(struct converter *by, unsigned char *to, size_t room)
{
	const int width = by->to == UTF_32 ? 4 : by->to == UTF_16 || by->to == UNICODE ? 2 : 0;
	if (!width || by->is_marked) return 0;
	int size = put(to, room, 0xfeff, width, 0);
	if (size > 0) by->is_marked = 1;
	return size;
}

struct output { char **at; size_t *room; };

static int advanced(struct output out, int size)
{
	if (size < 0) return 0;
	*out.at += size;
	*out.room -= size;
	return 1;
}

/* Writes a character. Returns 0, or the error; counts what it wrote or left out instead. */
static int written(struct converter *by, unsigned code, struct output out, size_t *instead, int *is_left_out)
{
	if (!advanced(out, write_mark(by, (unsigned char *)*out.at, *out.room))) return E2BIG;
	int size = write_one(by, (unsigned char *)*out.at, *out.room, code);
	if (size == NO_SUCH && code >> 7 == 0xe0000 >> 7) return 0;
	if (size == NO_SUCH && by->flags & TRANSLITERATE) {
		size = write_instead(by, (unsigned char *)*out.at, *out.room, code);
		*instead += size >= 0;
	}
	if (size == NO_SUCH && by->flags & IGNORE) return *is_left_out = 1, 0;
	if (advanced(out, size)) return 0;
	return size == NO_ROOM ? E2BIG : EILSEQ;
}

size_t iconv(iconv_t given, char **restrict in, size_t *restrict left, char **restrict out, size_t *restrict room)
{
	struct converter *by = given;
	size_t instead = 0;
	int is_left_out = 0, error = 0;
	/* Behind the last character that was not left out: the ones left out before one without room are tried again. */
	char *kept = in ? *in : 0;
	if (!in || !*in) {
		by->is_begun = by->is_marked = 0;
		return 0;
	}
	while (*left && !error) {
		unsigned code;
		size_t room_before = *room;
		int leaves = 0;
		int wrong, size = read_one(by, (const unsigned char *)*in, *left, &code, &wrong);
		if (size == INCOMPLETE) error = EINVAL;
		else if (size == NO_SUCH && !(by->flags & IGNORE)) error = EILSEQ;
		else if (size == NO_SUCH) is_left_out = 1, size = wrong;
		else if (code != NOTHING) error = written(by, code, (struct output){ out, room }, &instead, &leaves);
		if (leaves) is_left_out = 1, error = error ? error : *room ? 0 : E2BIG;
		if (error) break;
		*in += size;
		*left -= size;
		if (!(by->flags & IGNORE) || *room != room_before) kept = *in;
	}
	if (error == E2BIG) {
		*left += *in - kept;
		*in = kept;
	}
	if (!error && is_left_out) error = EILSEQ;
	if (!error) return instead;
	errno = error;
	return -1;
}
