/* dirname and basename as glibc has them: the answer lies in the path, where its end is cut off if need be, and two
 * slashes in front stay two. */
#include <string.h>

/* The index behind the last name's last letter; 0 if there is none. */
static size_t end_of_name(const char *path)
{
	size_t end = path ? strlen(path) : 0;
	while (end > 0 && path[end - 1] == '/') end--;
	return end;
}

static size_t start_of_name(const char *path, size_t end)
{
	while (end > 0 && path[end - 1] != '/') end--;
	return end;
}

char *dirname(char *path)
{
	size_t end = end_of_name(path), last;
	if (end) end = start_of_name(path, end);
	else if (path) end = strlen(path);
	if (!end) return ".";
	last = end - 1;
	while (end > 0 && path[end - 1] == '/') end--;
	if (!end) end = last == 1 ? 2 : 1;
	path[end] = 0;
	return path;
}

char *__xpg_basename(char *path)
{
	size_t end = end_of_name(path);
	if (!path || !*path) return ".";
	if (!end) return path + strlen(path) - 1;
	if (path[end]) path[end] = 0;
	return path + start_of_name(path, end);
}

/* Without <libgen.h>, basename is GNU's, which changes nothing. */
char *basename(const char *path)
{
	const char *slash = strrchr(path, '/');
	return (char *)(slash ? slash + 1 : path);
}
