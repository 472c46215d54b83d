/* stat and directory entries in the structures of glibc for i386: structures with numbers of 32 bits, and the
 * structures of -D_FILE_OFFSET_BITS=64 (names that end in 64). Times have 32 bits in both. See offsets.c. */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stddef.h>
#include <string.h>
#include <sys/stat.h>
#include "kstat.h"
#include "syscall.h"

#define NAMED(result, name, ...) result narrow_##name(__VA_ARGS__) __asm__("__narrow_" #name); result narrow_##name(__VA_ARGS__)

struct narrow_time {
	long seconds, nanoseconds;
};

struct narrow_stat {
	unsigned long long device;
	unsigned short padding_1;
	unsigned long number;
	unsigned mode, links, user, group;
	unsigned long long special;
	unsigned short padding_2;
	long size, block_size, blocks;
	struct narrow_time accessed, modified, changed;
	unsigned long unused[2];
};
_Static_assert(sizeof(struct narrow_stat) == 88, "glibc's struct stat");

struct wide_stat {
	unsigned long long device;
	unsigned padding_1;
	unsigned long short_number;
	unsigned mode, links, user, group;
	unsigned long long special;
	unsigned padding_2;
	long long size;
	long block_size;
	long long blocks;
	struct narrow_time accessed, modified, changed;
	unsigned long long number;
};
_Static_assert(sizeof(struct wide_stat) == 96, "glibc's struct stat64");

#define TIMES(from) {from.st_atime_sec, from.st_atime_nsec}, {from.st_mtime_sec, from.st_mtime_nsec}, {from.st_ctime_sec, from.st_ctime_nsec}

static int ask(int directory, const char *path, int flags, struct kstat *stat)
{
	if (path) return syscall(SYS_fstatat, directory, path, stat, flags);
	return syscall(SYS_fstat, directory, stat);
}

static int put_narrow(int directory, const char *path, int flags, struct narrow_stat *to)
{
	struct kstat from;
	if (ask(directory, path, flags, &from) < 0) return -1;
	if (from.st_size > LONG_MAX || from.st_ino > ULONG_MAX || from.st_blocks > LONG_MAX) {
		errno = EOVERFLOW;
		return -1;
	}
	*to = (struct narrow_stat){from.st_dev, 0, from.st_ino, from.st_mode, from.st_nlink, from.st_uid, from.st_gid, from.st_rdev, 0,
		from.st_size, from.st_blksize, from.st_blocks, TIMES(from)};
	return 0;
}

static int put_wide(int directory, const char *path, int flags, struct wide_stat *to)
{
	struct kstat from;
	if (ask(directory, path, flags, &from) < 0) return -1;
	*to = (struct wide_stat){from.st_dev, 0, from.st_ino, from.st_mode, from.st_nlink, from.st_uid, from.st_gid, from.st_rdev, 0,
		from.st_size, from.st_blksize, from.st_blocks, TIMES(from), from.st_ino};
	return 0;
}

#define STAT_FAMILY(suffix, width)                                                                                           \
	NAMED(int, stat##suffix, const char *path, struct width##_stat *to) { return put_##width(AT_FDCWD, path, 0, to); }        \
	NAMED(int, lstat##suffix, const char *path, struct width##_stat *to)                                                       \
	{                                                                                                                          \
		return put_##width(AT_FDCWD, path, AT_SYMLINK_NOFOLLOW, to);                                                             \
	}                                                                                                                          \
	NAMED(int, fstat##suffix, int descriptor, struct width##_stat *to) { return put_##width(descriptor, 0, 0, to); }          \
	NAMED(int, fstatat##suffix, int directory, const char *path, struct width##_stat *to, int flags)                           \
	{                                                                                                                          \
		return put_##width(directory, path ? path : "", flags, to);                                                              \
	}                                                                                                                          \
	NAMED(int, __xstat##suffix, int version, const char *path, struct width##_stat *to)                                        \
	{                                                                                                                          \
		return put_##width(AT_FDCWD, path, 0, to);                                                                               \
	}                                                                                                                          \
	NAMED(int, __lxstat##suffix, int version, const char *path, struct width##_stat *to)                                       \
	{                                                                                                                          \
		return put_##width(AT_FDCWD, path, AT_SYMLINK_NOFOLLOW, to);                                                             \
	}                                                                                                                          \
	NAMED(int, __fxstat##suffix, int version, int descriptor, struct width##_stat *to)                                         \
	{                                                                                                                          \
		return put_##width(descriptor, 0, 0, to);                                                                                \
	}                                                                                                                          \
	NAMED(int, __fxstatat##suffix, int version, int directory, const char *path, struct width##_stat *to, int flags)           \
	{                                                                                                                          \
		return put_##width(directory, path, flags, to);                                                                          \
	}
STAT_FAMILY(, narrow)
STAT_FAMILY(64, wide)

struct narrow_entry {
	unsigned long number;
	long next;
	unsigned short length;
	unsigned char type;
	char name[];
};

/* The entry is made where musl's is, which is longer. */
NAMED(struct narrow_entry *, readdir, DIR *directory)
{
	struct dirent *from = readdir(directory);
	struct narrow_entry *to = (void *)from, head;
	if (!from) return 0;
	head = (struct narrow_entry){from->d_ino, from->d_off, from->d_reclen, from->d_type};
	memmove(to->name, from->d_name, strlen(from->d_name) + 1);
	to->number = head.number;
	to->next = head.next;
	to->length = head.length;
	to->type = head.type;
	return to;
}
