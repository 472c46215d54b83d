/* glob with glibc's GLOB_BRACE: a pattern with {a,b} is one pattern after the other. */
#include <glob.h>
#include <stdlib.h>
#include <string.h>

enum { BRACE = 1 << 10 };
typedef int (*on_error)(const char *, int);
int __homi_glob(const char *restrict, int, on_error, glob_t *restrict);

/* Behind the word that ends at a comma or brace of the same depth; null without one. */
static const char *end_of_word(const char *at)
{
	int depth = 0;
	for (; *at; at++) {
		if (*at == '\\' && at[1]) at++;
		else if (*at == '{') depth++;
		else if ((*at == '}' && !depth--) || (*at == ',' && !depth)) return at;
	}
	return 0;
}

static int expand(const char *pattern, int flags, on_error error, glob_t *found)
{
	const char *open = pattern, *end = 0, *word;
	while (*open && *open != '{') open += *open == '\\' && open[1] ? 2 : 1;
	if (!*open || (open[1] == '}' && !open[2])) return __homi_glob(pattern, flags & ~(BRACE | GLOB_NOCHECK), error, found);
	for (word = open + 1; (end = end_of_word(word)) && *end == ',';) word = end + 1;
	if (!end) return __homi_glob(pattern, flags & ~(BRACE | GLOB_NOCHECK), error, found);
	const char *rest = end + 1;
	char *one = malloc(strlen(pattern) + 1);
	if (!one) return GLOB_NOSPACE;
	int result = GLOB_NOMATCH;
	memcpy(one, pattern, open - pattern);
	for (word = open + 1;; word = end + 1) {
		end = end_of_word(word);
		memcpy(one + (open - pattern), word, end - word);
		strcpy(one + (open - pattern) + (end - word), rest);
		int next = expand(one, flags, error, found);
		if (next == 0) result = 0, flags |= GLOB_APPEND;
		else if (next != GLOB_NOMATCH) {
			result = next;
			break;
		}
		if (*end == '}') break;
	}
	free(one);
	return result;
}

int glob(const char *restrict pattern, int flags, on_error error, glob_t *restrict found)
{
	if (!(flags & BRACE) || !strchr(pattern, '{')) return __homi_glob(pattern, flags & ~BRACE, error, found);
	int result = expand(pattern, flags, error, found);
	return result == GLOB_NOMATCH && flags & GLOB_NOCHECK ? __homi_glob(pattern, flags & ~BRACE, error, found) : result;
}

#undef glob64
__typeof(glob) glob64 __attribute__((alias("glob")));
