/* argz and envz: vectors of words in one piece of memory, each ended by a null byte. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

typedef int error_t;

size_t argz_count(const char *argz, size_t length)
{
	size_t count = 0;
	for (size_t i = 0; i < length; i++) count += argz[i] == 0;
	return count;
}

char *argz_next(const char *argz, size_t length, const char *entry)
{
	if (!entry) return length ? (char *)argz : 0;
	entry += strlen(entry) + 1;
	return entry < argz + length ? (char *)entry : 0;
}

error_t argz_append(char **argz, size_t *length, const char *words, size_t size)
{
	if (!size) return 0;
	char *grown = realloc(*argz, *length + size);
	if (!grown) return ENOMEM;
	memcpy(grown + *length, words, size);
	*argz = grown;
	*length += size;
	return 0;
}

error_t argz_add(char **argz, size_t *length, const char *word) { return argz_append(argz, length, word, strlen(word) + 1); }

error_t argz_create(char *const words[], char **argz, size_t *length)
{
	*argz = 0, *length = 0;
	for (; *words; words++)
		if (argz_add(argz, length, *words)) return free(*argz), ENOMEM;
	return 0;
}

/* Separators that follow each other count once, and none makes a word at the beginning; one at the end makes an empty word. */
error_t argz_add_sep(char **argz, size_t *length, const char *text, int separator)
{
	size_t size = strlen(text) + 1, used = *length;
	if (size == 1) return 0;
	char *grown = realloc(*argz, *length + size);
	if (!grown) return ENOMEM;
	for (size_t i = 0; i < size; i++) {
		char c = text[i] == (char)separator ? 0 : text[i];
		if (c || i + 1 == size || (used > *length && grown[used - 1])) grown[used++] = c;
	}
	*argz = grown;
	*length = used;
	return 0;
}

error_t argz_create_sep(const char *text, int separator, char **argz, size_t *length)
{
	*argz = 0, *length = 0;
	error_t error = argz_add_sep(argz, length, text, separator);
	if (!error && !*length) free(*argz), *argz = 0;
	return error;
}

void argz_extract(const char *argz, size_t length, char **words)
{
	for (const char *word = 0; (word = argz_next(argz, length, word));) *words++ = (char *)word;
	*words = 0;
}

void argz_stringify(char *argz, size_t length, int separator)
{
	for (size_t i = 0; i + 1 < length; i++)
		if (!argz[i]) argz[i] = (char)separator;
}

void argz_delete(char **argz, size_t *length, char *entry)
{
	if (!entry) return;
	size_t size = strlen(entry) + 1;
	*length -= size;
	memmove(entry, entry + size, *argz + *length - entry);
	if (!*length) free(*argz), *argz = 0;
}

error_t argz_insert(char **argz, size_t *length, char *before, const char *word)
{
	if (!before) return argz_add(argz, length, word);
	if (before < *argz || before >= *argz + *length) return EINVAL;
	while (before > *argz && before[-1]) before--;
	size_t place = before - *argz, after = *length - place, size = strlen(word) + 1;
	char *grown = realloc(*argz, *length + size);
	if (!grown) return ENOMEM;
	memmove(grown + place + size, grown + place, after);
	memcpy(grown + place, word, size);
	*argz = grown;
	*length += size;
	return 0;
}

/* The count is one of words that changed. */
error_t argz_replace(char **argz, size_t *length, const char *old, const char *new, unsigned *count)
{
	if (!old || !*old) return 0;
	char *result = 0;
	size_t used = 0, size = strlen(old), changes = 0;
	for (char *word = 0; (word = argz_next(*argz, *length, word));) {
		char *rest = word, *found;
		changes += strstr(word, old) != 0;
		while ((found = strstr(rest, old))) {
			if (argz_append(&result, &used, rest, found - rest) || argz_append(&result, &used, new, strlen(new))) return free(result), ENOMEM;
			rest = found + size;
		}
		if (argz_add(&result, &used, rest)) return free(result), ENOMEM;
	}
	if (!changes) return free(result), 0;
	free(*argz);
	*argz = result, *length = used;
	if (count) *count += changes;
	return 0;
}

/* The word for a name, which ends at a null byte or `=`. */
char *envz_entry(const char *envz, size_t length, const char *name)
{
	size_t size = strcspn(name, "=");
	for (char *word = 0; (word = argz_next(envz, length, word));)
		if (!strncmp(word, name, size) && (!word[size] || word[size] == '=')) return word;
	return 0;
}

char *envz_get(const char *envz, size_t length, const char *name)
{
	char *entry = envz_entry(envz, length, name);
	char *value = entry ? strchr(entry, '=') : 0;
	return value ? value + 1 : 0;
}

void envz_remove(char **envz, size_t *length, const char *name) { argz_delete(envz, length, envz_entry(*envz, *length, name)); }

error_t envz_add(char **envz, size_t *length, const char *name, const char *value)
{
	envz_remove(envz, length, name);
	if (!value) return argz_add(envz, length, name);
	size_t size = strlen(name), more = strlen(value) + 1;
	if (argz_append(envz, length, name, size)) return ENOMEM;
	if (argz_append(envz, length, "=", 1) || argz_append(envz, length, value, more)) return ENOMEM;
	return 0;
}

error_t envz_merge(char **envz, size_t *length, const char *other, size_t size, int override)
{
	error_t error = 0;
	for (const char *word = 0; !error && (word = argz_next(other, size, word));) {
		char *old = envz_entry(*envz, *length, word);
		if (old && !override) continue;
		argz_delete(envz, length, old);
		error = argz_add(envz, length, word);
	}
	return error;
}

void envz_strip(char **envz, size_t *length)
{
	for (char *word = *envz; word < *envz + *length;) {
		size_t size = strlen(word) + 1;
		if (strchr(word, '=')) {
			word += size;
			continue;
		}
		*length -= size;
		memmove(word, word + size, *envz + *length - word);
	}
}
