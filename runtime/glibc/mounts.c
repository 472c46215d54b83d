/* Tables of mounts (/etc/fstab, /proc/mounts): blanks in fields are written as octal numbers and read back. */
#include <errno.h>
#include <mntent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

FILE *setmntent(const char *path, const char *mode) { return fopen(path, mode); }

int endmntent(FILE *f)
{
	if (f) fclose(f);
	return 1;
}

static int is_octal(const char *s)
{
	int i;
	for (i = 0; i < 3; i++)
		if (s[i] < '0' || s[i] > '7') return 0;
	return 1;
}

/* The next field of a line, decoded in place; empty at the end of the line. */
static char *field(char **rest)
{
	char *from = *rest + strspn(*rest, " \t"), *to = from, *start = from;
	for (; *from && *from != ' ' && *from != '\t'; from++) {
		if (*from == '\\' && is_octal(from + 1)) {
			*to++ = (char)((from[1] - '0') << 6 | (from[2] - '0') << 3 | (from[3] - '0'));
			from += 3;
		} else if (*from == '\\' && from[1] == '\\') {
			*to++ = *from++;
		} else {
			*to++ = *from;
		}
	}
	*rest = from + (*from != 0);
	*to = 0;
	return start;
}

struct mntent *getmntent_r(FILE *f, struct mntent *to, char *buffer, int size)
{
	char *rest;
	do {
		size_t length;
		if (size <= 0 || !fgets(buffer, size, f)) return 0;
		length = strlen(buffer);
		if (length && buffer[length - 1] == '\n') {
			while (length && strchr(" \t\n", buffer[length - 1])) length--;
			buffer[length] = 0;
		} else {
			int c;
			while ((c = getc(f)) != EOF && c != '\n') {}
		}
		rest = buffer + strspn(buffer, " \t");
	} while (!*rest || *rest == '#');
	to->mnt_fsname = field(&rest);
	to->mnt_dir = field(&rest);
	to->mnt_type = field(&rest);
	to->mnt_opts = field(&rest);
	to->mnt_freq = to->mnt_passno = 0;
	sscanf(rest, " %d %d", &to->mnt_freq, &to->mnt_passno);
	return to;
}

struct mntent *getmntent(FILE *f)
{
	static struct mntent entry;
	static char buffer[4096];
	return getmntent_r(f, &entry, buffer, sizeof buffer);
}

static void put(FILE *f, const char *text)
{
	for (; *text; text++) {
		if (strchr(" \t\n\\", *text)) fprintf(f, "\\%03o", *text);
		else putc(*text, f);
	}
	putc(' ', f);
}

int addmntent(FILE *f, const struct mntent *entry)
{
	if (fseek(f, 0, SEEK_END)) return 1;
	put(f, entry->mnt_fsname);
	put(f, entry->mnt_dir);
	put(f, entry->mnt_type);
	put(f, entry->mnt_opts);
	fprintf(f, "%d %d\n", entry->mnt_freq, entry->mnt_passno);
	return fflush(f) ? 1 : 0;
}

char *hasmntopt(const struct mntent *entry, const char *option)
{
	size_t length = strlen(option);
	char *at = entry->mnt_opts;
	while ((at = strstr(at, option))) {
		if ((at == entry->mnt_opts || at[-1] == ',') && strchr(",=", at[length])) return at;
		at += length;
	}
	return 0;
}
