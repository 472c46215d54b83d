/* setlocale with glibc's thirteen categories, names and composite names ("LC_CTYPE=C.UTF-8;LC_NUMERIC=C;..."). What
 * locales there are says __get_locale; the categories that musl has not are names only. */
#include <errno.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include "libc.h"
#include "locale_impl.h"
#include "lock.h"

enum { CATEGORIES = 13 };

static const char labels[CATEGORIES][18] = {"LC_CTYPE", "LC_NUMERIC", "LC_TIME", "LC_COLLATE", "LC_MONETARY", "LC_MESSAGES",
	"LC_ALL", "LC_PAPER", "LC_NAME", "LC_ADDRESS", "LC_TELEPHONE", "LC_MEASUREMENT", "LC_IDENTIFICATION"};
static char names[CATEGORIES][LOCALE_NAME_MAX + 1] = {"C", "C", "C", "C", "C", "C", "", "C", "C", "C", "C", "C", "C"};
static char composite[CATEGORIES * (LOCALE_NAME_MAX + 20)];

static char *current(int category)
{
	char *to = composite;
	int i, same = 1;
	if (category != LC_ALL) return names[category];
	for (i = 1; i < CATEGORIES; i++) same &= i == LC_ALL || !strcmp(names[i], names[0]);
	if (same) return names[0];
	for (i = 0; i < CATEGORIES; i++) {
		if (i == LC_ALL) continue;
		if (to != composite) *to++ = ';';
		to = stpcpy(stpcpy(stpcpy(to, labels[i]), "="), names[i]);
	}
	return composite;
}

/* Locale of a category without its own environment variable; read once for all categories of a call. */
struct surroundings {
	const char *all, *rest;
};

static const char *value(const char *name)
{
	const char *found = getenv(name);
	return found && *found ? found : 0;
}

/* The name that a category gets from setlocale's argument: of a composite name its part, of "" the environment's.
 * False: there is none, or it is too long. */
static int choose(int category, const char *wish, const struct surroundings *around, char *to)
{
	size_t n = strlen(wish);
	if (n && strchr(wish, ';')) {
		size_t label = strlen(labels[category]);
		const char *part = strstr(wish, labels[category]);
		if (!part || part[label] != '=') return 0;
		wish = part + label + 1;
		n = strcspn(wish, ";");
	} else if (n == 0) {
		wish = around->all;
		if (!wish) wish = value(labels[category]);
		if (!wish) wish = around->rest;
		n = strlen(wish);
	}
	if (n > LOCALE_NAME_MAX) return 0;
	memcpy(to, wish, n);
	to[n] = 0;
	if (!strcmp(to, "POSIX")) strcpy(to, "C");
	return 1;
}

char *setlocale(int category, const char *wish)
{
	char chosen[CATEGORIES][LOCALE_NAME_MAX + 1];
	const struct __locale_map *maps[CATEGORIES];
	struct surroundings around = {0, "C"};
	char *result;
	int i, valid = 1;
	if ((unsigned)category >= CATEGORIES) return errno = EINVAL, (char *)0;
	LOCK(__locale_lock);
	if (wish && !*wish) {
		around.all = value("LC_ALL");
		around.rest = value("LANG");
		if (!around.rest) around.rest = "C";
	}
	for (i = 0; wish && valid && i < CATEGORIES; i++) {
		if (i == LC_ALL || (category != LC_ALL && category != i)) continue;
		valid = choose(i, wish, &around, chosen[i]);
		if (valid) maps[i] = __get_locale(i < LC_ALL ? i : LC_MESSAGES, chosen[i]);
		valid = valid && maps[i] != LOC_MAP_FAILED;
	}
	for (i = 0; wish && valid && i < CATEGORIES; i++) {
		if (i == LC_ALL || (category != LC_ALL && category != i)) continue;
		strcpy(names[i], chosen[i]);
		if (i < LC_ALL) libc.global_locale.cat[i] = maps[i];
	}
	result = valid ? current(category) : 0;
	UNLOCK(__locale_lock);
	return result;
}
