/* Characters of several bytes as in glibc: UTF-8 of up to six bytes, or ASCII in the C locale. musl has four bytes at most, rejects
 * sooner what may only be incomplete, forgets what an error left in a state, and reads whole words of strings. */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <uchar.h>
#include <wchar.h>
#include "locale_impl.h"

#define BETWEEN(c, low, high) ((unsigned)(c) - (low) <= (unsigned)((high) - (low)))
#define IS_CONTINUATION(c) (((c) & 0xc0) == 0x80)

static const size_t illegal = -1, incomplete = -2, second_part = -3;
enum { LONGEST = 6, PENDING = INT_MIN };

/* Content of an mbstate_t: the number of bytes read, the character's length above (<< 8), and the bits so far. */
struct partial {
	int counts;
	unsigned bits;
};

static unsigned length_by_lead(unsigned c) { return 2 + (c >= 0xe0) + (c >= 0xf0) + (c >= 0xf8) + (c >= 0xfc); }

/* Nonzero if the second byte shows an overlong form or a surrogate. */
static unsigned is_excluded(unsigned lead, unsigned second)
{
	return ((lead == 0xe0) & (second < 0xa0)) | ((lead == 0xed) & (second >= 0xa0)) | ((lead == 0xf0) & (second < 0x90)) |
		((lead == 0xf8) & (second < 0x88)) | ((lead == 0xfc) & (second < 0x84));
}

/* The character at the start of a text in UTF-8: its length. There are no more branches than outcomes. */
static size_t decode(wchar_t *to, const unsigned char *s, size_t n)
{
	unsigned c = *s, length;
	if (c < 0x80) return *to = c, 1;
	if (!BETWEEN(c, 0xc2, 0xfd)) return illegal;
	length = length_by_lead(c);
	for (size_t i = 1;; i++) {
		if (i == n) return incomplete;
		unsigned byte = s[i];
		/* glibc tells what is excluded once the character is complete. */
		if (!IS_CONTINUATION(byte) | ((i == 1) & (n >= length) & is_excluded(*s, byte))) return illegal;
		c = c << 6 | (byte & 0x3f);
		if (i + 1 == length) {
			*to = c & (1u << (5 * i + 6)) - 1;
			return i + 1;
		}
	}
}

/* Keeps the first bytes of a character. */
static void keep(struct partial *state, const unsigned char *s, size_t n)
{
	unsigned length = length_by_lead(*s);
	state->counts = n | length << 8;
	state->bits = *s & 0x7f >> length;
	for (size_t i = 1; i < n; i++) state->bits = state->bits << 6 | (s[i] & 0x3f);
}

static size_t unpack(const struct partial *state, unsigned char *to)
{
	size_t have = state->counts & 0xff, i;
	to[0] = 0xff00 >> (state->counts >> 8) | state->bits >> 6 * (have - 1);
	for (i = 1; i < have; i++) to[i] = 0x80 | (state->bits >> 6 * (have - 1 - i) & 0x3f);
	return have;
}

/* Completes the character of which a state has the beginning. */
static size_t go_on(wchar_t *to, const unsigned char *s, size_t n, struct partial *state)
{
	unsigned char all[LONGEST];
	size_t have = unpack(state, all), i;
	for (i = have; i < LONGEST && i - have < n; i++) {
		all[i] = s[i - have];
		/* Behind it nothing need be there. */
		if (!IS_CONTINUATION(all[i])) {
			i++;
			break;
		}
	}
	size_t length = decode(to, all, i);
	if (length == illegal) return illegal;
	if (length == incomplete) {
		keep(state, all, i);
		return incomplete;
	}
	state->counts = 0;
	return length - have;
}

static size_t next(wchar_t *to, const unsigned char *s, size_t n, struct partial *state)
{
	size_t length;
	if (!CURRENT_UTF8) return *s < 0x80 ? *to = *s, 1 : illegal;
	if (state->counts) return go_on(to, s, n, state);
	length = decode(to, s, n);
	if (length == incomplete) keep(state, s, n);
	return length;
}

static size_t fails(void)
{
	errno = EILSEQ;
	return illegal;
}

size_t mbrtowc(wchar_t *restrict to, const char *restrict s, size_t n, mbstate_t *restrict state)
{
	static mbstate_t own;
	wchar_t c;
	if (!s) to = 0, s = "", n = 1;
	if (!n) return incomplete;
	size_t length = next(&c, (const unsigned char *)s, n, (struct partial *)(state ? state : &own));
	if (length == illegal) return fails();
	if (length == incomplete) return incomplete;
	if (to) *to = c;
	return length == 1 ? c != 0 : length;
}

size_t mbrlen(const char *restrict s, size_t n, mbstate_t *restrict state)
{
	static mbstate_t own;
	return mbrtowc(0, s, n, state ? state : &own);
}

int mbsinit(const mbstate_t *state) { return !state || !((const struct partial *)state)->counts; }

int mbtowc(wchar_t *restrict to, const char *restrict s, size_t n)
{
	static mbstate_t state;
	if (!s) {
		memset(&state, 0, sizeof state);
		return 0;
	}
	if (!*s) {
		if (to) *to = 0;
		return 0;
	}
	int length = mbrtowc(to, s, n, &state);
	return length < 0 ? -1 : length;
}

int mblen(const char *s, size_t n)
{
	mbstate_t state = {0};
	if (!s || !*s) return 0;
	int length = mbrtowc(0, s, n, &state);
	return length < 0 ? -1 : length;
}

/* For the library itself: mbtowc without a state. */
int __homi_mbtowc(wchar_t *restrict to, const char *restrict s, size_t n)
{
	mbstate_t state = {0};
	if (!s) return 0;
	int length = mbrtowc(to, s, n, &state);
	return length < 0 ? -1 : length;
}

/* Converts up to room characters of which the first is at *at, to its end or a null; the number of them without the null, which
 * makes *at null. */
static size_t convert(wchar_t *to, const unsigned char **at, const unsigned char *end, size_t room, struct partial *state)
{
	size_t done = 0;
	while (done < room && *at != end) {
		size_t length = next(to, *at, end - *at, state);
		if (length == illegal) return illegal;
		if (length == incomplete) {
			*at = end;
			break;
		}
		if (length == 1 && !*to) {
			*at = 0;
			break;
		}
		*at += length;
		to++;
		done++;
	}
	return done;
}

/* Counts the characters up to a null or the end. */
static size_t count(const unsigned char *at, const unsigned char *end, struct partial state)
{
	size_t done = 0;
	wchar_t c;
	while (at && at != end) {
		size_t more = convert(&c, &at, end, 1, &state);
		if (more == illegal) return illegal;
		done += more;
	}
	return done;
}

static const unsigned char *const no_end = (const unsigned char *)-1;

size_t mbsnrtowcs(wchar_t *restrict to, const char **restrict from, size_t bytes, size_t room, mbstate_t *restrict given)
{
	static mbstate_t own;
	struct partial *state = (struct partial *)(given ? given : &own);
	const unsigned char *at = (const unsigned char *)*from;
	const unsigned char *end = bytes > (size_t)(no_end - at) ? no_end : at + bytes;
	size_t done;
	if (!bytes) return 0;
	if (!to) done = count(at, end, *state);
	else {
		done = convert(to, &at, end, room, state);
		*from = (const char *)at;
	}
	return done == illegal ? fails() : done;
}

/* glibc's mbsrtowcs stops now and then to look how much room is left; what it has read of a character by then is in the state.
 * The place of an illegal character is found here. */
static const unsigned char *stop_in(const unsigned char *at, const unsigned char *stop, size_t left, struct partial *state)
{
	size_t legal = 1, length, read = 0, first = stop - at;
	if (!CURRENT_UTF8 || first >= LONGEST || !BETWEEN(*at, 0xc2, 0xfd)) return at;
	for (; legal < first; legal++)
		if (!IS_CONTINUATION(at[legal])) return at;
	for (length = length_by_lead(*at); legal < length - 1 && IS_CONTINUATION(at[legal]); legal++);
	for (; (size_t)(stop - at) <= legal && stop - at < length; stop += left + 1) read = stop - at;
	if (read) keep(state, at, read);
	return at + read;
}

size_t mbsrtowcs(wchar_t *restrict to, const char **restrict from, size_t room, mbstate_t *restrict given)
{
	static mbstate_t own;
	struct partial *state = (struct partial *)(given ? given : &own);
	const unsigned char *at = (const unsigned char *)*from, *stop = at;
	size_t done, all = 0;
	if (!to) return (done = count(at, no_end, *state)) == illegal ? fails() : done;
	while (all < room && at) {
		const unsigned char *start = at;
		size_t left = room - all;
		if (at == stop) stop += left + 1;
		done = convert(to + all, &at, no_end, 1, state);
		if (done == illegal) {
			*from = (const char *)(state->counts ? at : stop_in(at, stop, left, state));
			return fails();
		}
		all += done;
		while (at && (size_t)(stop - start) < (size_t)(at - start)) stop += left + 1;
	}
	*from = (const char *)at;
	return all;
}

size_t mbstowcs(wchar_t *restrict to, const char *restrict from, size_t room)
{
	mbstate_t state = {0};
	return mbsrtowcs(to, &from, room, &state);
}

/* The bytes of a character other than null; none has more than six. */
static size_t encode(unsigned char *to, unsigned c)
{
	size_t length = 2, i;
	if (c < 0x80) return *to = c, 1;
	/* A language tag is skipped if the locale cannot encode it. */
	if (!CURRENT_UTF8 && c >> 7 == 0xe0000 >> 7) return 0;
	if (!CURRENT_UTF8 || c > INT_MAX || BETWEEN(c, 0xd800, 0xdfff)) return illegal;
	while (length < LONGEST && c >> (5 * length + 1)) length++;
	for (i = length - 1; i; i--, c >>= 6) to[i] = 0x80 | (c & 0x3f);
	to[0] = 0xff00 >> length | c;
	return length;
}

size_t wcrtomb(char *restrict to, wchar_t c, mbstate_t *restrict given)
{
	static mbstate_t own;
	struct partial *state = (struct partial *)(given ? given : &own);
	unsigned char bytes[LONGEST];
	if (!to || !c) state->counts = state->bits = 0;
	if (!to) return 1;
	size_t length = encode(bytes, c);
	if (length == illegal) return fails();
	for (size_t i = 0; i < length; i++) to[i] = bytes[i];
	return length;
}

int wctomb(char *to, wchar_t c) { return to ? wcrtomb(to, c, 0) : 0; }

/* Converts wide characters while they are there and find room; a null, which does not count, makes *from null. */
static size_t convert_back(char *to, const wchar_t **from, size_t characters, size_t room)
{
	unsigned char bytes[LONGEST];
	const wchar_t *at = *from;
	size_t done = 0, i, length;
	for (; characters && (!to || done < room); characters--, at++, done += length) {
		length = encode(bytes, *at);
		if (length == illegal || (to && length > room - done)) break;
		for (i = 0; to && i < length; i++) to[done + i] = bytes[i];
		if (length != 1 || *at) continue;
		at = 0;
		break;
	}
	if (to) *from = at;
	return at && characters && (!to || done < room) && length == illegal ? fails() : done;
}

size_t wcsnrtombs(char *restrict to, const wchar_t **restrict from, size_t characters, size_t room, mbstate_t *restrict state)
{
	return convert_back(to, from, characters, room);
}
size_t wcsrtombs(char *restrict to, const wchar_t **restrict from, size_t room, mbstate_t *restrict state)
{
	return convert_back(to, from, -1, room);
}
size_t wcstombs(char *restrict to, const wchar_t *restrict from, size_t room) { return convert_back(to, &from, -1, room); }

wint_t btowc(int c) { return BETWEEN(c, 0, 0x7f) ? c : WEOF; }
int wctob(wint_t c) { return BETWEEN(c, 0, 0x7f) ? c : EOF; }

/* The state's first bit says that its bits are what is left to be handed out, or what was handed in. */
size_t mbrtoc16(char16_t *restrict to, const char *restrict s, size_t n, mbstate_t *restrict given)
{
	static mbstate_t own;
	struct partial *state = (struct partial *)(given ? given : &own);
	wchar_t c = 0;
	if (state->counts & PENDING) {
		state->counts &= ~PENDING;
		*to = state->bits;
		state->bits = 0;
		return second_part;
	}
	if (!s) to = 0, s = "", n = 1;
	size_t length = mbrtowc(&c, s, n, (mbstate_t *)state);
	if (length == illegal || length == incomplete) return length;
	if (to) *to = c < 0x10000 ? c : 0xd7c0 + (c >> 10);
	if (c >= 0x10000) {
		state->counts |= PENDING;
		state->bits = 0xdc00 + (c & 0x3ff);
	}
	return length;
}

size_t c16rtomb(char *restrict to, char16_t half, mbstate_t *restrict given)
{
	static mbstate_t own;
	struct partial *state = (struct partial *)(given ? given : &own);
	wchar_t c = half;
	if (!to) state->counts &= ~PENDING, state->bits = 0, c = 0;
	if (state->counts & PENDING) {
		c = BETWEEN(c, 0xdc00, 0xdfff) ? 0x10000 + ((state->bits & 0x3ff) << 10) + (c & 0x3ff) : state->bits;
		state->counts &= ~PENDING;
		state->bits = 0;
	} else if (BETWEEN(c, 0xd800, 0xdbff)) {
		state->counts |= PENDING;
		state->bits = c;
		return 0;
	}
	return wcrtomb(to, c, (mbstate_t *)state);
}

size_t mbrtoc32(char32_t *restrict to, const char *restrict s, size_t n, mbstate_t *restrict state)
{
	static mbstate_t own;
	return mbrtowc((wchar_t *)to, s, n, state ? state : &own);
}
size_t c32rtomb(char *restrict to, char32_t c, mbstate_t *restrict state)
{
	static mbstate_t own;
	return wcrtomb(to, c, state ? state : &own);
}
