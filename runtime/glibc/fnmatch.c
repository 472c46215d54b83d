/* fnmatch as in glibc: GNU's extended patterns, collating symbols, equivalence classes; musl's has none of them. Texts are bytes, or
 * wide characters in a locale with UTF-8 if both are valid. The end of a text of bytes is met where it is, not looked for: each length
 * of a symbolic text would be a path. */
#include <ctype.h>
#include <fnmatch.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>
#include <wctype.h>
#include "locale_impl.h"

enum { FOLD_CASE = 1 << 4, EXTENDED = 1 << 5, NOT_A_PATTERN = -1, NO_MEMORY = -2 };

/* A text that is matched: bytes or wide characters; where its end is, if that is known. In a locale with UTF-8 it is taken for ASCII
 * at first: a byte that is not ASCII sets `is_other` and ends the match. */
struct text {
	const void *units;
	int is_wide, *is_other;
	size_t end;
};

/* Position in pattern and text at a star, from which the caller continues. */
struct star {
	int is_met, no_period;
	size_t pattern, text;
};

static unsigned unit(const struct text *t, const void *units, size_t i)
{
	if (t->is_wide) return ((const wchar_t *)units)[i];
	unsigned c = ((const unsigned char *)units)[i];
	if (!t->is_other || c < 128) return c;
	*t->is_other = 1;
	return 0;
}
static unsigned of_text(const struct text *t, size_t i) { return unit(t, t->units, i); }
static int is_end(const struct text *t, size_t i) { return i == t->end || (t->end == SIZE_MAX && !of_text(t, i)); }
static unsigned fold(const struct text *t, unsigned c, int flags)
{
	return !(flags & FOLD_CASE) ? c : t->is_wide ? towlower(c) : (tolower)(c);
}
static int is_negation(unsigned c) { return c == '!' || (c == '^' && !getenv("POSIXLY_CORRECT")); }
static int guards_periods(int flags) { return (flags & (FNM_PATHNAME | FNM_PERIOD)) == (FNM_PATHNAME | FNM_PERIOD); }

static int match(const struct text *, const void *, size_t, size_t, int, int, struct star *);
static int match_list(const struct text *, const void *, size_t, size_t, int, int);

#define P(i) unit(t, pattern, i)

/* Behind a collating symbol, whose one character is stored; 0: the pattern matches nothing. */
static size_t read_symbol(const struct text *t, const void *pattern, size_t p, unsigned *c)
{
	size_t length = 0;
	*c = P(p + 1);
	while (P(++p) != '.' || P(p + 1) != ']') {
		if (!P(p)) return 0;
		length++;
	}
	return length == 1 ? p + 2 : 0;
}

/* Behind the name of a class; 0: the pattern matches nothing. What is no name leaves the place. */
static size_t read_class(const struct text *t, const void *pattern, size_t p, wctype_t *class)
{
	char name[256];
	for (size_t length = 0, start = p; length < sizeof name; length++) {
		unsigned c = P(++p);
		if (c == ':' && P(p + 1) == ']') {
			name[length] = 0;
			*class = wctype(name);
			return *class ? p + 2 : 0;
		}
		if (c < 'a' || c >= 'z') return start;
		name[length] = c;
	}
	return 0;
}

/* Behind the bracket of a list one of whose members has matched; 0: nothing matches; SIZE_MAX: it is not closed. */
static size_t skip_list(const struct text *t, const void *pattern, size_t p, int flags)
{
	for (unsigned c; (c = P(p++)) != ']';) {
		if (!c) return SIZE_MAX;
		if (c == '\\' && !(flags & FNM_NOESCAPE)) {
			if (!P(p++)) return 0;
		} else if (c == '[' && P(p) == ':') {
			size_t start = p;
			while (P(++p) != ':' || P(p + 1) != ']')
				if (P(p) < 'a' || P(p) >= 'z') {
					p = start - 2;
					break;
				}
			p += 2;
		} else if (c == '[' && P(p) == '=') {
			if (!P(p + 1) || P(p + 2) != '=' || P(p + 3) != ']') return 0;
			p += 4;
		} else if (c == '[' && P(p) == '.') {
			while (P(++p) != '.' || P(p + 1) != ']')
				if (!P(p)) return 0;
			p += 2;
		}
	}
	return p;
}

/* Matches a character with a bracket's list that begins at p; the place behind the list, 0 or SIZE_MAX as above. */
static size_t match_bracket(const struct text *t, const void *pattern, size_t p, unsigned plain, int flags)
{
	unsigned character = fold(t, plain, flags), c, low, high;
	int is_negated = is_negation(P(p)), is_range, is_found = 0;
	if (is_negated) p++;
	c = P(p++);
	do {
		int is_symbol = 0;
		if (c == '\\' && !(flags & FNM_NOESCAPE)) {
			if (!P(p)) return 0;
			c = fold(t, P(p++), flags);
		} else if (c == '[' && P(p) == ':') {
			wctype_t class = 0;
			size_t behind = read_class(t, pattern, p, &class);
			if (!behind) return 0;
			if (class) {
				p = behind;
				if ((t->is_wide || plain < 128) && iswctype(plain, class)) is_found = 1;
				else c = P(p++);
				continue;
			}
		} else if (c == '[' && P(p) == '=' && P(p + 1) && P(p + 2) == '=' && P(p + 3) == ']') {
			low = P(p + 1);
			p += 4;
			if (plain == low) is_found = 1;
			else c = P(p++);
			continue;
		} else if (!c) return SIZE_MAX;
		else if (c == '[' && P(p) == '.') {
			p = read_symbol(t, pattern, p, &c);
			if (!p) return 0;
			is_symbol = 1;
		} else if (c != '[' || P(p) != '=') c = fold(t, c, flags);
		is_range = P(p) == '-' && P(p + 1) && (is_symbol || P(p + 1) != ']');
		if (!is_range && (is_symbol ? plain : character) == c) {
			is_found = 1;
			continue;
		}
		low = c;
		c = P(p++);
		if (c != '-' || P(p) == ']') continue;
		high = P(p++);
		if (high == '[' && P(p) == '.') {
			p = read_symbol(t, pattern, p, &high);
			if (!p) return 0;
		} else {
			if (high == '\\' && !(flags & FNM_NOESCAPE)) high = P(p++);
			if (!high) return 0;
			high = fold(t, high, flags);
		}
		if ((low <= character) & (character <= high)) is_found = 1;
		else c = P(p++);
	} while (!is_found && c != ']');
	if (is_found) p = skip_list(t, pattern, p, flags);
	return p == SIZE_MAX || is_found != is_negated ? p : 0;
}

/* Matches the pattern after a star at p. */
static int match_star(const struct text *t, const void *pattern, size_t *p, size_t *n, int *no_period, int flags)
{
	unsigned c;
	if (*no_period && !is_end(t, *n) && of_text(t, *n) == '.') return FNM_NOMATCH;
	for (; (c = P((*p)++)) == '?' || c == '*';) {
		if (P(*p) == '(' && flags & EXTENDED) {
			int result = match_list(t, pattern, *p, *n, *no_period, flags);
			if (result != NOT_A_PATTERN) return result;
		} else if (c == '?') {
			if (is_end(t, *n) || (flags & FNM_PATHNAME && of_text(t, *n) == '/')) return FNM_NOMATCH;
			++*n;
		}
	}
	if (!c) {
		if (!(flags & FNM_PATHNAME) || flags & FNM_LEADING_DIR) return 0;
		for (; !is_end(t, *n); ++*n)
			if (of_text(t, *n) == '/') return FNM_NOMATCH;
		return 0;
	}
	int is_list = c == '[' || (flags & EXTENDED && (c == '@' || c == '+' || c == '!') && P(*p) == '(');
	if (!is_list && c == '/' && flags & FNM_PATHNAME) {
		while (!is_end(t, *n) && of_text(t, *n) != '/') ++*n;
		if (is_end(t, *n)) return FNM_NOMATCH;
		return match(t, pattern, *p, *n + 1, flags & FNM_PERIOD, flags, 0);
	}
	int inner = flags & FNM_PATHNAME ? flags : flags & ~FNM_PERIOD;
	if (c == '\\' && !(flags & FNM_NOESCAPE)) c = P(*p);
	c = fold(t, c, flags);
	for (--*p; !is_end(t, *n) && !(flags & FNM_PATHNAME && of_text(t, *n) == '/'); ++*n, *no_period = 0) {
		struct star star = {0};
		if (!is_list && fold(t, of_text(t, *n), flags) != c) continue;
		if (match(t, pattern, *p, *n, *no_period, inner, &star)) continue;
		if (!star.is_met) return 0;
		*p = star.pattern, *n = star.text, *no_period = star.no_period;
		return NOT_A_PATTERN;
	}
	return FNM_NOMATCH;
}

/* Matches the pattern from p on with the text from n on; 0, FNM_NOMATCH or NO_MEMORY. */
static int match(const struct text *t, const void *pattern, size_t p, size_t n, int no_period, int flags, struct star *star)
{
	for (unsigned c; (c = P(p++)); n++) {
		int next_no_period = 0, result;
		if (flags & EXTENDED && P(p) == '(' && (c == '?' || c == '*' || c == '+' || c == '@' || c == '!')) {
			result = match_list(t, pattern, p, n, no_period, flags);
			if (result != NOT_A_PATTERN) return result;
		}
		if (c == '*') {
			if (star) {
				*star = (struct star){1, no_period, p - 1, n};
				return 0;
			}
			result = match_star(t, pattern, &p, &n, &no_period, flags);
			if (result != NOT_A_PATTERN) return result;
			n--;
			continue;
		}
		if (c == '?' || c == '[') {
			if (is_end(t, n)) return FNM_NOMATCH;
			if (flags & FNM_PATHNAME && of_text(t, n) == '/') return FNM_NOMATCH;
			if (no_period && of_text(t, n) == '.') return FNM_NOMATCH;
			size_t behind = c == '?' ? p : match_bracket(t, pattern, p, of_text(t, n), flags);
			if (!behind) return FNM_NOMATCH;
			if (behind != SIZE_MAX) p = behind;
			else if (of_text(t, n) != '[') return FNM_NOMATCH;
		} else {
			if (c == '\\' && !(flags & FNM_NOESCAPE)) {
				c = P(p++);
				if (!c) return FNM_NOMATCH;
			} else next_no_period = c == '/' && guards_periods(flags);
			if (n == t->end || fold(t, of_text(t, n), flags) != fold(t, c, flags)) return FNM_NOMATCH;
		}
		no_period = next_no_period;
	}
	if (is_end(t, n) || (flags & FNM_LEADING_DIR && of_text(t, n) == '/')) return 0;
	return FNM_NOMATCH;
}

/* The alternatives of an extended pattern. */
struct list {
	void *first[64];
	unsigned count;
	size_t behind;
};

/* The units from `from` on up to `to`, and those from `rest` on, as a pattern of its own. */
static void *copy(const struct text *t, const void *pattern, size_t from, size_t to, size_t rest)
{
	size_t size = t->is_wide ? sizeof(wchar_t) : 1, length = to - from, more = rest;
	while (P(more)) more++;
	char *new = malloc((length + more - rest + 1) * size);
	if (!new) return 0;
	memcpy(new, (const char *)pattern + from * size, length * size);
	memcpy(new + length * size, (const char *)pattern + rest * size, (more - rest + 1) * size);
	return new;
}

/* Finds the ends of the alternatives; p is at the parenthesis. */
static int read_list(const struct text *t, const void *pattern, size_t p, size_t *ends, unsigned *count)
{
	for (int level = 0; level >= 0;) {
		unsigned c = P(++p);
		if (!c) return NOT_A_PATTERN;
		if (c == '[') {
			if (is_negation(P(++p))) p++;
			if (P(p) == ']') p++;
			while (P(p) != ']')
				if (!P(p++)) return NOT_A_PATTERN;
		} else if (P(p + 1) == '(' && (c == '?' || c == '*' || c == '+' || c == '@' || c == '!')) level++;
		else if (c == ')' || c == '|') {
			if (level == 0) {
				if (*count == 64) return NO_MEMORY;
				ends[(*count)++] = p;
			}
			if (c == ')') level--;
		}
	}
	return 0;
}

/* True if one of the alternatives matches the text from n up to an end. */
static int matches_part(const struct text *t, const struct list *list, unsigned i, size_t n, size_t end, int no_period, int flags)
{
	struct text part = *t;
	part.end = end;
	return !match(&part, list->first[i], 0, n, no_period, flags, 0);
}

static int match_alternatives(const struct text *t, const void *pattern, size_t p, size_t n, int no_period, int flags, const struct list *list)
{
	int inner = flags & FNM_PATHNAME ? flags : flags & ~FNM_PERIOD;
	unsigned operator = P(p - 1), i;
	if ((operator == '*' || operator == '?') && !match(t, pattern, list->behind, n, no_period, flags, 0)) return 0;
	for (i = 0; i < list->count && (operator == '?' || operator == '@'); i++)
		if (!match(t, list->first[i], 0, n, no_period, inner, 0)) return 0;
	for (i = 0; i < list->count && (operator == '*' || operator == '+'); i++)
		for (size_t end = n;; end++) {
			int later = end == n ? no_period : of_text(t, end - 1) == '/' && guards_periods(flags);
			if (matches_part(t, list, i, n, end, no_period, inner) && (!match(t, pattern, list->behind, end, later, inner, 0) ||
				(end != n && !match(t, pattern, p - 1, end, later, inner, 0))))
				return 0;
			if (is_end(t, end)) break;
		}
	for (size_t end = n; operator == '!'; end++) {
		for (i = 0; i < list->count && !matches_part(t, list, i, n, end, no_period, inner); i++);
		int later = end == n ? no_period : of_text(t, end - 1) == '/' && guards_periods(flags);
		if (i == list->count && !match(t, pattern, list->behind, end, later, inner, 0)) return 0;
		if (is_end(t, end)) break;
	}
	return FNM_NOMATCH;
}

/* Matches an extended pattern whose parenthesis is at p, and what follows it. */
static int match_list(const struct text *t, const void *pattern, size_t p, size_t n, int no_period, int flags)
{
	size_t ends[64], start = p + 1;
	struct list list = {.count = 0};
	unsigned count = 0, operator = P(p - 1);
	int result = read_list(t, pattern, p, ends, &count);
	if (result) return result;
	list.behind = ends[count - 1] + 1;
	size_t rest = list.behind;
	if (operator != '?' && operator != '@')
		while (P(rest)) rest++;
	for (; list.count < count && !result; list.count++) {
		list.first[list.count] = copy(t, pattern, start, ends[list.count], rest);
		if (!list.first[list.count]) result = NO_MEMORY;
		start = ends[list.count] + 1;
	}
	if (!result) result = match_alternatives(t, pattern, p, n, no_period, flags, &list);
	while (list.count) free(list.first[--list.count]);
	return result;
}

/* A text in wide characters, of which it has no more than bytes; null: it is none in this locale. */
static wchar_t *widen(const char *text)
{
	size_t room = strlen(text) + 1;
	wchar_t *wide = malloc(room * sizeof *wide);
	if (wide && mbstowcs(wide, text, room) != (size_t)-1) return wide;
	free(wide);
	return 0;
}

int fnmatch(const char *pattern, const char *text, int flags)
{
	int is_other = 0;
	struct text t = {text, 0, CURRENT_UTF8 ? &is_other : 0, SIZE_MAX};
	int result = match(&t, pattern, 0, 0, flags & FNM_PERIOD, flags, 0);
	if (!is_other) return result;
	wchar_t *wide_pattern = widen(pattern), *wide_text = wide_pattern ? widen(text) : 0;
	t = (struct text){wide_text ? (const void *)wide_text : text, wide_text != 0, 0, SIZE_MAX};
	result = match(&t, wide_text ? (const void *)wide_pattern : pattern, 0, 0, flags & FNM_PERIOD, flags, 0);
	free(wide_pattern);
	free(wide_text);
	return result;
}
