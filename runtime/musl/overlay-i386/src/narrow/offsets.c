/* Functions that glibc for i386 declares with offsets, limits and inode numbers of 32 bits. musl has 64 bits under these
 * names; programs that want them say so with the names that end in 64, or -D_FILE_OFFSET_BITS=64, which makes the
 * same of them. What does not fit is EOVERFLOW, as natively.
 *
 * A program that declares `lseek` calls `__narrow_lseek`, and likewise for all names here. */
#define _GNU_SOURCE
#include <errno.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/uio.h>
#include <unistd.h>
#include "syscall.h"

#define NAMED(result, name, ...) result narrow_##name(__VA_ARGS__) __asm__("__narrow_" #name); result narrow_##name(__VA_ARGS__)

extern off_t __lseek(int, off_t, int);
extern void *__mmap(void *, size_t, int, int, int, off_t);
extern int __fseeko(FILE *, off_t, int);
extern off_t __ftello(FILE *);

static long fitting(long long offset)
{
	if (offset == (long)offset) return offset;
	errno = EOVERFLOW;
	return -1;
}

NAMED(long, lseek, int descriptor, long offset, int whence) { return fitting(__lseek(descriptor, offset, whence)); }
NAMED(int, fseeko, FILE *stream, long offset, int whence) { return __fseeko(stream, offset, whence); }
NAMED(long, ftello, FILE *stream) { return fitting(__ftello(stream)); }

NAMED(int, truncate, const char *path, long size) { return syscall(SYS_truncate, path, (long long)size); }
NAMED(int, ftruncate, int descriptor, long size) { return syscall(SYS_ftruncate, descriptor, (long long)size); }

#define AT_OFFSET(name, pointed, ...)                                                               \
	NAMED(ssize_t, name, int descriptor, pointed, size_t n, long offset)                              \
	{                                                                                                 \
		return syscall_cp(SYS_##name, descriptor, buffer, n, (long long)offset);                        \
	}
AT_OFFSET(pread, void *buffer)
AT_OFFSET(pwrite, const void *buffer)

NAMED(void *, mmap, void *start, size_t n, int protection, int flags, int descriptor, unsigned long offset)
{
	return __mmap(start, n, protection, flags, descriptor, offset);
}

NAMED(int, fallocate, int descriptor, int mode, long offset, long n)
{
	return syscall(SYS_fallocate, descriptor, mode, (long long)offset, (long long)n);
}
NAMED(int, posix_fallocate, int descriptor, long offset, long n)
{
	return -__syscall(SYS_fallocate, descriptor, 0, (long long)offset, (long long)n);
}
NAMED(int, posix_fadvise, int descriptor, long offset, long n, int advice)
{
	return -__syscall(SYS_fadvise, descriptor, (long long)offset, (long long)n, advice);
}

struct narrow_limit {
	unsigned long now, most;
};

static unsigned long narrow_limit(unsigned long long limit) { return limit > ULONG_MAX ? ULONG_MAX : limit; }
static unsigned long long wide_limit(unsigned long limit) { return limit == ULONG_MAX ? ~0ULL : limit; }

NAMED(int, getrlimit, int resource, struct narrow_limit *limit)
{
	unsigned long long wide[2];
	int result = syscall(SYS_prlimit64, 0, resource, 0, wide);
	if (result < 0) return result;
	limit->now = narrow_limit(wide[0]);
	limit->most = narrow_limit(wide[1]);
	return 0;
}

NAMED(int, setrlimit, int resource, const struct narrow_limit *limit)
{
	unsigned long long wide[2] = {wide_limit(limit->now), wide_limit(limit->most)};
	return syscall(SYS_prlimit64, 0, resource, wide, 0);
}
