/* scandirat: scandir in a directory that a descriptor names. */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef int (*order)(const struct dirent **, const struct dirent **);

static void free_all(struct dirent **entries, size_t count)
{
	while (count) free(entries[--count]);
	free(entries);
}

static struct dirent *copy_of(const struct dirent *entry)
{
	struct dirent *made = malloc(entry->d_reclen);
	return made ? memcpy(made, entry, entry->d_reclen) : 0;
}

/* Adds the next entry that is chosen. Returns 0 at the end, -1 if there is no memory. */
static int add_next(DIR *from, struct dirent ***entries, size_t *count, int (*chosen)(const struct dirent *))
{
	struct dirent *entry, **more;
	while ((entry = readdir(from)) && chosen && !chosen(entry));
	if (!entry) return 0;
	more = realloc(*entries, (*count + 1) * sizeof *more);
	if (!more) return -1;
	*entries = more;
	more[*count] = copy_of(entry);
	return more[*count] ? (*count)++, 1 : -1;
}

int scandirat(int directory, const char *path, struct dirent ***to, int (*chosen)(const struct dirent *), order compare)
{
	int fd = openat(directory, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC), result, saved = errno;
	DIR *from = fd < 0 ? 0 : fdopendir(fd);
	struct dirent **entries = 0;
	size_t count = 0;
	if (!from) {
		if (fd >= 0) close(fd);
		return -1;
	}
	errno = 0;
	while ((result = add_next(from, &entries, &count, chosen)) > 0);
	int error = result < 0 ? ENOMEM : errno;
	closedir(from);
	if (error) {
		free_all(entries, count);
		errno = error;
		return -1;
	}
	errno = saved;
	if (compare) qsort(entries, count, sizeof *entries, (int (*)(const void *, const void *))compare);
	*to = entries;
	return count;
}

#undef scandirat64
int scandirat64(int directory, const char *path, struct dirent ***to, int (*chosen)(const struct dirent *), order compare)
{
	return scandirat(directory, path, to, chosen, compare);
}
