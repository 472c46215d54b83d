/* C23's characters of UTF-8, one byte a call, and numbers from wide text under old names. */
#define _GNU_SOURCE
#include <errno.h>
#include <string.h>
#include <wchar.h>

/* Bytes that wait: of a character to be handed out, or the begin of one that was handed in. The count is in the state's
 * second word, which mbrtowc leaves alone while no character is begun. */
struct waiting { unsigned begun; unsigned char count, bytes[3]; };

size_t mbrtoc8(unsigned char *restrict to, const char *restrict from, size_t n, mbstate_t *restrict given)
{
	static mbstate_t own;
	struct waiting *state = (struct waiting *)(given ? given : &own);
	unsigned char whole[8];
	mbstate_t plain = {0};
	wchar_t c;
	if (state->count) {
		unsigned char next = state->bytes[0];
		memmove(state->bytes, state->bytes + 1, sizeof state->bytes - 1);
		state->count--;
		if (to) *to = next;
		return -3;
	}
	if (!from) return mbrtoc8(0, "", 1, given);
	size_t length = mbrtowc(&c, from, n, (mbstate_t *)state);
	if (length > (size_t)-3) return length;
	size_t size = c ? wcrtomb((char *)whole, c, &plain) : 1;
	if (!c) *whole = 0;
	if (to) *to = *whole;
	state->count = size - 1;
	memcpy(state->bytes, whole + 1, size - 1);
	return length;
}

size_t c8rtomb(char *restrict to, unsigned char c, mbstate_t *restrict given)
{
	static mbstate_t own;
	struct waiting *state = (struct waiting *)(given ? given : &own);
	mbstate_t plain = {0};
	wchar_t whole;
	char bytes[5];
	if (!to) {
		memset(state, 0, sizeof *state);
		return 1;
	}
	memcpy(bytes, state->bytes, 3);
	bytes[state->count] = c;
	size_t size = state->count + 1, length = mbrtowc(&whole, bytes, size, &plain);
	if (length == (size_t)-2 && size < 4) {
		state->bytes[state->count++] = c;
		return 0;
	}
	memset(state, 0, sizeof *state);
	if (length > 4) {
		errno = EILSEQ;
		return -1;
	}
	return wcrtomb(to, whole, &plain);
}

long long wcstoq(const wchar_t *restrict text, wchar_t **restrict end, int base) { return wcstoll(text, end, base); }
unsigned long long wcstouq(const wchar_t *restrict text, wchar_t **restrict end, int base) { return wcstoull(text, end, base); }
