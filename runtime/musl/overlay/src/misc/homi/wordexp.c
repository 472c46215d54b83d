/* Words as a shell expands them, without a shell: quotes, tildes, parameters, sums, names of files, commands. */
#define _GNU_SOURCE
#include <glob.h>
#include <errno.h>
#include <fnmatch.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <wordexp.h>

/* A text that grows. In a word, a backslash stands before each byte that was quoted, and before backslashes. */
struct text { char *at; size_t size; };
struct expansion {
	wordexp_t *to;
	const char *separators;
	int flags;
	struct text word;
	int has_word, is_pattern;
	/* One text is wanted, which is not divided. */
	int is_whole;
};

static int put(struct text *text, char byte)
{
	if (!(text->size & (text->size - 1))) {
		char *more = realloc(text->at, text->size ? 2 * text->size + 1 : 2);
		if (!more) return WRDE_NOSPACE;
		text->at = more;
	}
	text->at[text->size++] = byte;
	text->at[text->size] = 0;
	return 0;
}

static int put_word(struct expansion *x, char byte, int is_quoted)
{
	x->has_word = 1;
	if (is_quoted || byte == '\\') {
		if (put(&x->word, '\\')) return WRDE_NOSPACE;
	} else if (strchr("*?[", byte)) {
		x->is_pattern = 1;
	}
	return put(&x->word, byte);
}

static int add(wordexp_t *to, char *word)
{
	size_t offset = to->we_offs, count = to->we_wordc;
	char **all = word ? realloc(to->we_wordv, (offset + count + 2) * sizeof *all) : 0;
	if (!all) return WRDE_NOSPACE;
	to->we_wordv = all;
	all[offset + count] = word;
	all[offset + count + 1] = 0;
	to->we_wordc++;
	return 0;
}

/* Ends a word, which is the names of files that match it, or itself. */
static int end_word(struct expansion *x)
{
	glob_t found;
	int error = 0;
	if (!x->has_word) return 0;
	if (x->is_pattern && !glob(x->word.at, 0, 0, &found)) {
		for (size_t i = 0; i < found.gl_pathc && !error; i++) error = add(x->to, strdup(found.gl_pathv[i]));
		globfree(&found);
	} else {
		struct text plain = { 0 };
		for (size_t i = 0; i < x->word.size && !error; i++) {
			if (x->word.at[i] == '\\') i++;
			error = put(&plain, x->word.at[i]);
		}
		if (!error) error = add(x->to, plain.at ? plain.at : strdup(""));
	}
	x->word.size = 0;
	if (x->word.at) x->word.at[0] = 0;
	x->has_word = x->is_pattern = 0;
	return error;
}

/* ---- sums ---- */

static long sum(const char **at, int *error);

static void skip_blanks(const char **at) { while (**at == ' ' || **at == '\t' || **at == '\n') ++*at; }

static long factor(const char **at, int *error)
{
	long value;
	skip_blanks(at);
	if (**at == '-') return ++*at, -factor(at, error);
	if (**at == '+') return ++*at, factor(at, error);
	if (**at != '(') {
		char *end;
		value = strtol(*at, &end, 0);
		if (end == *at) *error = WRDE_SYNTAX;
		*at = end;
	} else {
		++*at;
		value = sum(at, error);
		/* glibc takes no notice of what it does not know. */
		*at += strcspn(*at, ")");
		if (!**at) *error = WRDE_SYNTAX;
		else ++*at;
	}
	skip_blanks(at);
	return value;
}

static long product(const char **at, int *error)
{
	long value = factor(at, error);
	while (!*error && (**at == '*' || **at == '/')) {
		char sign = *(*at)++;
		long other = factor(at, error);
		if (sign == '*') value *= other;
		else if (other == 0 || (other == -1 && value == -value)) *error = WRDE_SYNTAX;
		else value /= other;
	}
	return value;
}

static long sum(const char **at, int *error)
{
	long value = product(at, error);
	while (!*error && (**at == '+' || **at == '-')) {
		char sign = *(*at)++;
		long other = product(at, error);
		value += sign == '+' ? other : -other;
	}
	return value;
}

/* ---- parameters ---- */

static int expand(struct expansion *x, const char **at, const char *ends, int is_quoted);

/* What a text expands to, as one text. */
static int expand_text(struct expansion *x, const char *from, size_t size, struct text *to)
{
	wordexp_t nothing = { 0 };
	struct expansion inner = { &nothing, "", x->flags, { 0 }, 0, 0, 1 };
	char *copy = strndup(from, size);
	const char *at = copy;
	int error = copy ? expand(&inner, &at, "", 0) : WRDE_NOSPACE;
	for (size_t i = 0; i < inner.word.size && !error; i++) {
		if (inner.word.at[i] == '\\') i++;
		error = put(to, inner.word.at[i]);
	}
	free(inner.word.at);
	free(copy);
	return error;
}

static int separates(const struct expansion *x, char byte, int is_blank)
{
	return byte && strchr(x->separators, byte) && (strchr(" \t\n", byte) != 0) == is_blank;
}

/* Puts a value into words: outside of quotes, separators end them. Blanks do so only between two fields; any other
 * separator, with the blanks on its sides, ends a field that may be empty. */
static int put_value(struct expansion *x, const char *value, int is_quoted)
{
	int error = 0;
	if (is_quoted) {
		/* glibc has no memory for an empty value in quotes that begins a word. */
		if (!*value && !x->word.size && !x->is_whole) return WRDE_NOSPACE;
		for (x->has_word = 1; *value && !error; value++) error = put_word(x, *value, 1);
		return error;
	}
	while (separates(x, *value, 1)) value++;
	while (*value && !error) {
		const char *at = value;
		int is_mark;
		while (separates(x, *at, 1)) at++;
		is_mark = separates(x, *at, 0);
		if (is_mark) {
			at++;
			while (separates(x, *at, 1)) at++;
			x->has_word = 1;
		}
		if (at == value) error = put_word(x, *at++, 1);
		else if (is_mark || *at) error = end_word(x);
		value = at;
	}
	return error;
}

/* The rest of a value without the shortest or longest beginning or end that matches. */
static void remove_match(char *value, const char *pattern, int at_end, int longest)
{
	size_t size = strlen(value);
	for (size_t i = 0; i <= size; i++) {
		size_t removed = longest ? size - i : i, cut = at_end ? size - removed : removed;
		char kept = value[cut];
		int matches;
		if (!at_end) value[cut] = 0;
		matches = !fnmatch(pattern, at_end ? value + cut : value, 0);
		if (!at_end) value[cut] = kept;
		if (!matches) continue;
		if (at_end) value[cut] = 0;
		else memmove(value, value + cut, size - cut + 1);
		return;
	}
}

static const char *value_of(const char *name, char *number)
{
	if (!strcmp(name, "$")) return sprintf(number, "%d", getpid()), number;
	if (!strcmp(name, "#")) return "0";
	if (!strcmp(name, "0")) return program_invocation_name;
	if (!strcmp(name, "@") || !strcmp(name, "*")) return "";
	return *name >= '0' && *name <= '9' ? 0 : getenv(name);
}

/* A parameter with what is done to it: `${name}`, `${#name}`, `${name:-word}` and kin. `to` is behind the bracket. */
static int substitute(struct expansion *x, const char *name, const char *action, size_t size, int is_quoted)
{
	char number[24], *changed;
	const char *value = value_of(name, number);
	struct text word = { 0 };
	int error = 0, is_null = *action == ':' && value && !*value;
	char kind = *action == ':' ? action[1] : *action;
	size_t skipped = size ? 1 + (*action == ':') : 0;
	if (size && strchr("#%", kind) && action[1] == kind) skipped++;
	if (size && !strchr("-=?+#%", kind)) return WRDE_SYNTAX;
	if (!value && x->flags & WRDE_UNDEF) return WRDE_BADVAL;
	if (size && skipped <= size) error = expand_text(x, action + skipped, size - skipped, &word);
	if (error) goto out;
	const char *text = word.at ? word.at : "";
	if (size && strchr("#%", kind)) {
		changed = strdup(value ? value : "");
		if (!changed) error = WRDE_NOSPACE;
		else remove_match(changed, text, kind == '%', skipped == 2), error = put_value(x, changed, is_quoted);
		free(changed);
		goto out;
	}
	if (size && kind == '+') {
		value = value && !is_null ? text : "";
	} else if (size && (!value || is_null)) {
		if (kind == '=') setenv(name, text, 1);
		if (kind == '?') {
			fprintf(stderr, "%s: %s\n", name, *text ? text : "parameter null or not set");
			text = "";
		}
		value = text;
	}
	error = put_value(x, value ? value : "", is_quoted);
out:
	free(word.at);
	return error;
}

static int is_in_name(char c) { return c == '_' || (c >= '0' && c <= '9') || ((c | 32) >= 'a' && (c | 32) <= 'z'); }

static int parameter(struct expansion *x, const char **at, int is_quoted)
{
	const char *from = *at, *name, *action;
	int in_brackets = *from == '{', counts, depth = 1, error = 0;
	size_t size = 0;
	char *copy;
	from += in_brackets;
	counts = in_brackets && *from == '#';
	name = from += counts;
	if (is_in_name(*from) && !(*from >= '0' && *from <= '9')) while (is_in_name(*from)) from++;
	else if (*from >= '0' && *from <= '9') while (*++from >= '0' && *from <= '9' && in_brackets) {}
	else if (*from && strchr("$#@*", *from)) from++;
	else return in_brackets ? WRDE_SYNTAX : put_word(x, '$', 1);
	copy = strndup(name, from - name);
	if (!copy) return WRDE_NOSPACE;
	action = from;
	if (in_brackets) {
		for (; *from && (depth -= *from == '}'); from++) depth += *from == '{';
		size = from - action;
		if (!*from++) error = WRDE_SYNTAX;
	}
	*at = from;
	if (!error && counts) {
		char number[24], length[24];
		const char *value = value_of(copy, number);
		sprintf(length, "%zu", value ? strlen(value) : 0);
		error = size ? WRDE_SYNTAX : !value && x->flags & WRDE_UNDEF ? WRDE_BADVAL : put_value(x, length, is_quoted);
	} else if (!error) {
		error = substitute(x, copy, action, size, is_quoted);
	}
	free(copy);
	return error;
}

/* The output of a command that a shell runs, up to the character that ends it, without the ends of lines at its end. */
static int command(struct expansion *x, const char **at, char end, int is_quoted)
{
	const char *last = *at;
	struct text text = { 0 };
	char *line;
	FILE *from;
	int depth = 0, error = 0, byte;
	for (; *last && (depth || *last != end); last++) if (end == ')') depth += (*last == '(') - (*last == ')');
	if (!*last) return WRDE_SYNTAX;
	if (x->flags & WRDE_NOCMD) return WRDE_CMDSUB;
	line = strndup(*at, last - *at);
	*at = last + 1;
	from = line ? popen(line, "r") : 0;
	free(line);
	if (!from) return WRDE_NOSPACE;
	while (!error && (byte = getc(from)) != EOF) error = put(&text, byte);
	pclose(from);
	while (text.size && text.at[text.size - 1] == '\n') text.at[--text.size] = 0;
	if (!error) error = put_value(x, text.at ? text.at : "", is_quoted);
	free(text.at);
	return error;
}

static int dollar(struct expansion *x, const char **at, int is_quoted)
{
	const char *from = *at, *end;
	struct text text = { 0 };
	char number[24];
	int error = 0, depth = 0;
	long value = 0;
	if (*from != '(') return parameter(x, at, is_quoted);
	if (from[1] != '(') {
		*at = from + 1;
		return command(x, at, ')', is_quoted);
	}
	for (end = from + 2; *end && (depth || strncmp(end, "))", 2)); end++) depth += (*end == '(') - (*end == ')');
	if (!*end) return WRDE_SYNTAX;
	error = expand_text(x, from + 2, end - from - 2, &text);
	*at = end + 2;
	if (!error) {
		const char *rest = text.at ? text.at : "";
		value = sum(&rest, &error);
		if (*rest == ')') error = WRDE_SYNTAX;
	}
	free(text.at);
	sprintf(number, "%ld", value);
	return error ? error : put_value(x, number, is_quoted);
}

static int tilde(struct expansion *x, const char **at)
{
	const char *from = *at, *home = 0;
	size_t size = strcspn(from, "/ \t\n:\"'\\$");
	struct passwd *user;
	char *name;
	if (from[size] && !strchr("/ \t\n:", from[size])) return put_word(x, '~', 1);
	if (!size) home = getenv("HOME");
	name = strndup(from, size);
	user = home ? 0 : size ? getpwnam(name) : getpwuid(getuid());
	free(name);
	if (user) home = user->pw_dir;
	if (!home) return put_word(x, '~', 1);
	*at = from + size;
	for (; *home; home++)
		if (put_word(x, *home, 1)) return WRDE_NOSPACE;
	return 0;
}

/* Quotes around nothing at the beginning of a word are a word. */
static int end_quotes(struct expansion *x, const char **at)
{
	if (!*(*at)++) return WRDE_SYNTAX;
	return x->word.size || !!x->is_whole ? 0 : end_word(x);
}

/* Expands up to a byte of `ends`, or all. */
/* Quotes with nothing in them are a word of their own, whatever stands behind them. */
static int end_empty(struct expansion *x)
{
	return !x->is_whole && !x->word.size ? end_word(x) : 0;
}

static int expand(struct expansion *x, const char **at, const char *ends, int is_quoted)
{
	int error = 0;
	while (!error && **at && !strchr(ends, **at)) {
		char byte = *(*at)++;
		int may_be_escaped = !is_quoted || (**at && strchr("$`\"\\\n", **at));
		if (byte == '\\' && may_be_escaped) {
			if (!**at) return WRDE_SYNTAX;
			byte = *(*at)++;
			error = byte == '\n' ? 0 : put_word(x, byte, 1);
		} else if (byte == '$') {
			error = dollar(x, at, is_quoted);
		} else if (byte == '`') {
			error = command(x, at, '`', is_quoted);
		} else if (is_quoted) {
			error = put_word(x, byte, 1);
		} else if (byte == '"') {
			x->has_word = 1;
			error = expand(x, at, "\"", 1);
			if (!error) error = end_quotes(x, at);
			if (!error) error = end_empty(x);
		} else if (byte == '\'') {
			x->has_word = 1;
			for (; !error && **at && **at != '\''; ++*at) error = put_word(x, **at, 1);
			if (!error) error = end_quotes(x, at);
			if (!error) error = end_empty(x);
		} else if (byte == '~' && !x->has_word) {
			error = tilde(x, at);
		} else if (!x->is_whole && strchr(" \t", byte)) {
			error = end_word(x);
		} else if (!x->is_whole && strchr("\n|&;<>(){}", byte)) {
			error = WRDE_BADCHAR;
		} else {
			error = put_word(x, byte, 0);
		}
	}
	return error;
}

int wordexp(const char *restrict words, wordexp_t *restrict to, int flags)
{
	const char *separators = getenv("IFS");
	struct expansion x = { to, separators ? separators : " \t\n", flags, { 0 }, 0, 0, 0 };
	size_t before = 0;
	int error;
	if (flags & WRDE_REUSE) wordfree(to);
	if (!(flags & WRDE_DOOFFS)) to->we_offs = 0;
	if (flags & WRDE_APPEND) {
		before = to->we_wordc;
	} else {
		to->we_wordc = 0;
		to->we_wordv = calloc(to->we_offs + 1, sizeof *to->we_wordv);
		if (!to->we_wordv) return WRDE_NOSPACE;
	}
	error = expand(&x, &words, "", 0);
	if (!error) error = end_word(&x);
	free(x.word.at);
	if (!error || error == WRDE_NOSPACE) return error;
	while (to->we_wordc > before) free(to->we_wordv[to->we_offs + --to->we_wordc]);
	if (to->we_wordv) to->we_wordv[to->we_offs + before] = 0;
	return error;
}

void wordfree(wordexp_t *from)
{
	if (!from->we_wordv) return;
	for (size_t i = 0; i < from->we_wordc; i++) free(from->we_wordv[from->we_offs + i]);
	free(from->we_wordv);
	from->we_wordv = 0;
	from->we_wordc = 0;
}
