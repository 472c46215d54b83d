/* Reading accounts from a stream into the caller's memory: what glibc has and musl lacks. */
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include "../passwd/pwf.h"

/* The stream stands again where the entry began that did not fit. */
static int too_small(FILE *f, off_t start, void *line)
{
	fseeko(f, start, SEEK_SET);
	free(line);
	return ERANGE;
}

int fgetpwent_r(FILE *f, struct passwd *to, char *buffer, size_t size, struct passwd **result)
{
	struct passwd found, *got = 0;
	off_t start = ftello(f);
	char *line = 0, **texts[] = {&to->pw_name, &to->pw_passwd, &to->pw_gecos, &to->pw_dir, &to->pw_shell};
	size_t capacity = 0, length, i;
	int error = __getpwent_a(f, &found, &line, &capacity, &got);
	*result = 0;
	if (!got) return error ? error : ENOENT;
	length = found.pw_shell + strlen(found.pw_shell) + 1 - line;
	if (length > size) return too_small(f, start, line);
	*to = found;
	memcpy(buffer, line, length);
	for (i = 0; i < sizeof texts / sizeof *texts; i++) *texts[i] = buffer + (*texts[i] - line);
	free(line);
	*result = to;
	return 0;
}

int fgetgrent_r(FILE *f, struct group *to, char *buffer, size_t size, struct group **result)
{
	struct group found, *got = 0;
	off_t start = ftello(f);
	char *line = 0, **members = 0, *last, **list;
	size_t capacity = 0, count = 0, length, padding, i;
	int error = __getgrent_a(f, &found, &line, &capacity, &members, &count, &got);
	*result = 0;
	if (!got) return error ? error : ENOENT;
	for (count = 0; found.gr_mem[count]; count++) {}
	last = count ? found.gr_mem[count - 1] : found.gr_passwd;
	length = last + strlen(last) + 1 - line;
	padding = -(uintptr_t)(buffer + length) & (sizeof(char *) - 1);
	if (length + padding + (count + 1) * sizeof(char *) > size) return free(members), too_small(f, start, line);
	memcpy(buffer, line, length);
	list = (char **)(buffer + length + padding);
	for (i = 0; i < count; i++) list[i] = buffer + (found.gr_mem[i] - line);
	list[count] = 0;
	*to = (struct group){buffer, buffer + (found.gr_passwd - line), found.gr_gid, list};
	free(members);
	free(line);
	*result = to;
	return 0;
}

struct spwd *sgetspent(const char *text)
{
	static char *line;
	static struct spwd entry;
	free(line);
	if (asprintf(&line, "%s\n", text) < 0) line = 0;
	return line && __parsespent(line, &entry) >= 0 ? &entry : 0;
}
