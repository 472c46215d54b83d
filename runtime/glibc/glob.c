/* glob as glibc's: braces, tildes, the order of results, what the caller's functions see. */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fnmatch.h>
#include <glob.h>
#include <pwd.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "libc.h"
#undef glob64
#undef globfree64

enum { MAGCHAR = 0x100, ALTDIRFUNC = 0x200, BRACE = 0x400, NOMAGIC = 0x800, TILDE = 0x1000, ONLYDIR = 0x2000, TILDE_CHECK = 0x4000 };
enum { KNOWN = 0x7fff & ~MAGCHAR };
/* What a pattern has. */
enum { PLAIN, ESCAPES, OPEN_BRACKET, WILDCARDS };
/* Answers of alternatives() about a pattern that is to be taken as it is. */
enum { AS_IT_IS = -2, UNCLOSED = -3 };
typedef int (*on_error)(const char *, int);

/* glibc's glob_t, with the functions of GLOB_ALTDIRFUNC. */
struct found {
	size_t count;
	char **names;
	size_t offset;
	int flags;
	void (*close)(void *);
	struct dirent *(*read)(void *);
	void *(*open)(const char *);
	int (*lstat)(const char *restrict, struct stat *restrict);
	int (*stat)(const char *restrict, struct stat *restrict);
};

static int status(const struct found *found, int flags, const char *path, struct stat *to, int is_link)
{
	if (flags & ALTDIRFUNC) return (is_link ? found->lstat : found->stat)(path, to);
	return (is_link ? lstat : stat)(path, to);
}

static int is_directory(const struct found *found, int flags, const char *path)
{
	struct stat file;
	return !status(found, flags, path, &file, 0) && S_ISDIR(file.st_mode);
}

static int kind_of(const char *pattern, int has_escapes)
{
	int kind = PLAIN, is_open = 0;
	for (; *pattern; pattern++)
		switch (*pattern) {
		case '?': case '*': return WILDCARDS;
		case '\\':
			if (!has_escapes) break;
			if (pattern[1]) pattern++;
			if (kind == PLAIN) kind = ESCAPES;
			break;
		case '[': is_open = 1, kind = OPEN_BRACKET; break;
		case ']': if (is_open) return WILDCARDS; break;
		}
	return kind;
}

int glob_pattern_p(const char *pattern, int has_escapes) { return kind_of(pattern, has_escapes) == WILDCARDS; }

static char *joined(const char *directory, const char *name)
{
	size_t length = strlen(directory), needs_slash = length && strcmp(directory, "/") != 0;
	char *path = malloc(length + needs_slash + strlen(name) + 1);
	if (!path) return 0;
	strcpy(path, directory);
	if (needs_slash) path[length] = '/';
	strcpy(path + length + needs_slash, name);
	return path;
}

static int add(struct found *found, char *name)
{
	char **names = name ? realloc(found->names, (found->offset + found->count + 2) * sizeof *names) : 0;
	if (!names) {
		free(name);
		return GLOB_NOSPACE;
	}
	found->names = names;
	names += found->offset;
	names[found->count++] = name;
	names[found->count] = 0;
	return 0;
}

static int in_order(const void *a, const void *b) { return strcoll(*(char *const *)a, *(char *const *)b); }

/* The names of a directory that match, each behind a prefix. */
static int scan(const char *pattern, const char *directory, int *flags, on_error error, struct found *found)
{
	const char *place = *directory ? directory : ".";
	void *stream = *flags & ALTDIRFUNC ? found->open(place) : opendir(place);
	int match = (*flags & GLOB_PERIOD ? 0 : FNM_PERIOD) | (*flags & GLOB_NOESCAPE ? FNM_NOESCAPE : 0), result = 0;
	struct dirent *entry;
	if (!stream) {
		if (errno != ENOTDIR && ((error && error(place, errno)) || *flags & GLOB_ERR)) return GLOB_ABORTED;
		return 0;
	}
	*flags |= MAGCHAR;
	while (!result && (entry = *flags & ALTDIRFUNC ? found->read(stream) : readdir(stream))) {
		if (*flags & ONLYDIR && entry->d_type != DT_DIR && entry->d_type != DT_LNK && entry->d_type != DT_UNKNOWN) continue;
		if (fnmatch(pattern, entry->d_name, match)) continue;
		char *path = joined(directory, entry->d_name);
		if (path && *flags & ONLYDIR && entry->d_type != DT_DIR && !is_directory(found, *flags, path)) free(path);
		else result = add(found, path);
	}
	if (*flags & ALTDIRFUNC) found->close(stream);
	else closedir(stream);
	return result;
}

/* Adds what a pattern without slashes stands for in a directory. */
static int in_directory(const char *pattern, const char *directory, int flags, on_error error, struct found *found)
{
	const size_t before = found->count;
	const int kind = kind_of(pattern, !(flags & GLOB_NOESCAPE));
	struct stat file;
	int result = 0;
	if (kind == PLAIN) {
		char *path = joined(directory, pattern);
		if (!path) return GLOB_NOSPACE;
		if (flags & (GLOB_NOCHECK | NOMAGIC) || !status(found, flags, path, &file, 1)) flags |= GLOB_NOCHECK;
		free(path);
	} else {
		result = scan(pattern, directory, &flags, error, found);
	}
	if (result) return result;
	if (found->count == before) {
		if (!(flags & GLOB_NOCHECK)) return GLOB_NOMATCH;
		if ((result = add(found, joined(directory, pattern)))) return result;
	}
	found->flags = flags;
	return 0;
}

/* Behind the alternative that ends at a comma or brace of the same depth; null without one. */
static const char *end_of_alternative(const char *at, int flags)
{
	for (int depth = 0; *at; at++) {
		if (*at == '\\' && !(flags & GLOB_NOESCAPE) && at[1]) at++;
		else if (*at == '{') depth++;
		else if ((*at == '}' && !depth--) || (*at == ',' && !depth)) return at;
	}
	return 0;
}

static int expand(const char *pattern, int flags, on_error error, struct found *found);

/* A pattern for each alternative of the first brace. Returns 0, an error, or how it is to be taken. */
static int alternatives(const char *pattern, int flags, on_error error, struct found *found)
{
	const char *open = pattern, *end, *rest, *word;
	const size_t before = found->count;
	int result = 0;
	while (*open && *open != '{') open += *open == '\\' && !(flags & GLOB_NOESCAPE) && open[1] ? 2 : 1;
	if (!*open || !strcmp(pattern, "{}")) return AS_IT_IS;
	for (word = open + 1; (end = end_of_alternative(word, flags)) && *end == ',';) word = end + 1;
	if (!end) return UNCLOSED;
	rest = end + 1;
	char *one = malloc(strlen(pattern) + 1);
	if (!one) return GLOB_NOSPACE;
	memcpy(one, pattern, open - pattern);
	for (word = open + 1;; word = end + 1) {
		end = end_of_alternative(word, flags);
		memcpy(one + (open - pattern), word, end - word);
		strcpy(one + (open - pattern) + (end - word), rest);
		result = expand(one, (flags & ~(GLOB_NOCHECK | NOMAGIC)) | GLOB_APPEND, error, found);
		if ((result && result != GLOB_NOMATCH) || *end == '}') break;
	}
	free(one);
	if (result && result != GLOB_NOMATCH) return result;
	if (found->count != before) return 0;
	return flags & (GLOB_NOCHECK | NOMAGIC) ? AS_IT_IS : GLOB_NOMATCH;
}

/* The home of `~` or `~name`, with what follows; null if there is none. */
static char *home_of(const char *directory)
{
	size_t length = strcspn(directory, "/");
	char *user = strndup(directory + 1, length - 1), *path = 0;
	const struct passwd *account = 0;
	const char *home = 0;
	if (user && !*user) home = getenv("HOME");
	if (home && !*home) home = 0;
	if (user && !home) account = *user ? getpwnam(user) : getpwuid(getuid());
	if (account) home = account->pw_dir;
	if (home && (path = malloc(strlen(home) + strlen(directory) + 1))) strcat(strcpy(path, home), directory + length);
	free(user);
	return path;
}

static void unescape(char *text)
{
	char *to = text;
	for (; *text; text++) {
		if (*text == '\\' && text[1]) text++;
		*to++ = *text;
	}
	*to = 0;
}

/* A backslash at a directory's end was to escape the slash. Whether there was one. */
static int drop_escape(char *directory)
{
	size_t length = strlen(directory), escapes = 0;
	while (escapes < length && directory[length - 1 - escapes] == '\\') escapes++;
	if (escapes % 2 == 0) return 0;
	directory[length - 1] = 0;
	if (length == 1) strcpy(directory, "/");
	return 1;
}

static int no_match(const char *pattern, int flags, struct found *found)
{
	if (!(flags & GLOB_NOCHECK)) return GLOB_NOMATCH;
	found->flags = flags;
	return add(found, strdup(pattern));
}

/* Directories by a pattern, and in each the names. */
static int in_directories(const char *pattern, const char *directory, const char *name, int flags, on_error error, struct found *found)
{
	struct found places = *found;
	const size_t before = found->count;
	places.count = places.offset = 0;
	places.names = 0;
	int result = expand(directory, (flags & (GLOB_ERR | GLOB_NOESCAPE | ALTDIRFUNC)) | GLOB_NOSORT | ONLYDIR, error, &places);
	for (size_t i = 0; !result && i < places.count; i++) {
		result = in_directory(name, places.names[i], (flags | GLOB_APPEND) & ~(GLOB_NOCHECK | NOMAGIC), error, found);
		if (result == GLOB_NOMATCH) result = 0;
	}
	for (size_t i = 0; i < places.count; i++) free(places.names[i]);
	free(places.names);
	if (result && result != GLOB_NOMATCH) return result;
	return found->count == before ? no_match(pattern, flags | (result ? 0 : MAGCHAR), found) : 0;
}

static char *marked(char *path)
{
	char *longer = realloc(path, strlen(path) + 2);
	return longer ? strcat(longer, "/") : path;
}

/* Marks directories and sorts. */
static void finish(int flags, size_t before, struct found *found)
{
	char **names = found->names + found->offset;
	for (size_t i = before; flags & GLOB_MARK && i < found->count; i++) {
		if (!is_directory(found, flags, names[i])) continue;
		names[i] = marked(names[i]);
	}
	if (!(flags & GLOB_NOSORT) && found->count > before) qsort(names + before, found->count - before, sizeof *names, in_order);
}

static int split(const char *pattern, char *directory, const char *name, int flags, on_error error, struct found *found)
{
	const size_t before = found->count;
	const int given = flags;
	int result;
	if (flags & (TILDE | TILDE_CHECK) && *directory == '~') {
		char *home = home_of(directory);
		if (!home && flags & TILDE_CHECK) return GLOB_NOMATCH;
		if (!name) {
			char *path = home ? home : strdup(directory);
			found->flags = flags;
			return add(found, path && flags & GLOB_MARK && is_directory(found, flags, path) ? marked(path) : path);
		}
		if (home) {
			flags &= ~(GLOB_NOCHECK | NOMAGIC);
			result = split(pattern, home, name, flags & ~(TILDE | TILDE_CHECK), error, found);
			free(home);
			return result == GLOB_NOMATCH ? no_match(pattern, given, found) : result;
		}
	}
	if (!name) name = directory, directory = "";
	const int kind = kind_of(directory, !(flags & GLOB_NOESCAPE));
	if (kind == WILDCARDS) {
		if (!(flags & GLOB_NOESCAPE)) drop_escape(directory);
		result = in_directories(pattern, directory, name, flags, error, found);
	} else {
		if (kind == ESCAPES) {
			drop_escape(directory);
			unescape(directory);
			flags &= ~(GLOB_NOCHECK | NOMAGIC);
		}
		result = in_directory(name, directory, flags, error, found);
		if (result == GLOB_NOMATCH && flags != given) result = no_match(pattern, given, found);
	}
	if (!result) finish(given, before, found);
	return result;
}

/* One pattern, whose results are added. */
static int expand(const char *pattern, int flags, on_error error, struct found *found)
{
	size_t length = strlen(pattern);
	int result;
	if (!length && !(flags & GLOB_NOCHECK)) return GLOB_NOMATCH;
	if (length && pattern[length - 1] == '/') flags |= ONLYDIR;
	if (flags & BRACE) {
		result = alternatives(pattern, flags, error, found);
		if (result == UNCLOSED) flags &= ~BRACE;
		else if (result != AS_IT_IS) return result;
	}
	const char *slash = strrchr(pattern, '/');
	char *directory = slash ? strndup(pattern, slash == pattern ? 1 : slash - pattern) : strdup(pattern);
	if (!directory) return GLOB_NOSPACE;
	if (slash && !slash[1] && slash > pattern + 1) {
		int is_escaped = !(flags & GLOB_NOESCAPE) && drop_escape(directory);
		result = expand(directory, (is_escaped ? flags & ~(GLOB_NOCHECK | NOMAGIC) : flags) | GLOB_MARK, error, found);
		if (result == GLOB_NOMATCH && is_escaped) result = no_match(pattern, flags, found);
		else if (!result) found->flags = (found->flags & ~GLOB_MARK) | (flags & GLOB_MARK);
	} else {
		result = split(pattern, directory, slash ? slash + 1 : 0, flags, error, found);
	}
	free(directory);
	return result;
}

int glob(const char *restrict pattern, int flags, on_error error, glob_t *restrict given)
{
	struct found *found = (struct found *)given;
	if (!pattern || flags & ~KNOWN) {
		errno = EINVAL;
		return -1;
	}
	if (!(flags & GLOB_DOOFFS)) found->offset = 0;
	if (!(flags & GLOB_APPEND)) {
		found->count = 0;
		found->names = flags & GLOB_DOOFFS ? calloc(found->offset + 1, sizeof *found->names) : 0;
		if (flags & GLOB_DOOFFS && !found->names) return GLOB_NOSPACE;
	}
	return expand(pattern, flags, error, found);
}

void globfree(glob_t *given)
{
	struct found *found = (struct found *)given;
	for (size_t i = 0; found->names && i < found->count; i++) free(found->names[found->offset + i]);
	free(found->names);
	found->names = 0;
}

weak_alias(glob, glob64);
weak_alias(globfree, globfree64);
