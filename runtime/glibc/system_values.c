/* sysconf and pathconf as glibc's. Set-up asks the machine for what does not change (runtime/musl/ask/system_values.c); limits,
 * processors and memory are the modeled kernel's. */
#define _GNU_SOURCE
#include <errno.h>
#include <limits.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/sysinfo.h>
#include <unistd.h>
#include "syscall.h"

#undef sysconf
extern const long __homi_system_values[256];

static long limit(int resource)
{
	struct rlimit now;
	getrlimit(resource, &now);
	return now.rlim_cur > LONG_MAX ? -1 : (long)now.rlim_cur;
}

static long processors(void)
{
	unsigned char set[128] = {1};
	long count = 0;
	__syscall(SYS_sched_getaffinity, 0, sizeof set, set);
	for (unsigned i = 0; i < sizeof set; i++)
		for (; set[i]; set[i] &= set[i] - 1) count++;
	return count;
}

static long pages(int is_free)
{
	struct sysinfo now;
	sysinfo(&now);
	return (unsigned long long)(is_free ? now.freeram : now.totalram) * now.mem_unit / 4096;
}

/* A fourth of the stack, at least 128 KiB. */
static long room_for_arguments(void)
{
	long stack = limit(RLIMIT_STACK);
	return stack / 4 < 131072 ? 131072 : stack / 4;
}

long sysconf(int name)
{
	switch (name) {
	case _SC_ARG_MAX: return room_for_arguments();
	case _SC_CHILD_MAX: return limit(RLIMIT_NPROC);
	case _SC_OPEN_MAX: return limit(RLIMIT_NOFILE);
	case _SC_SIGQUEUE_MAX: return limit(RLIMIT_SIGPENDING);
	case _SC_NPROCESSORS_CONF:
	case _SC_NPROCESSORS_ONLN: return processors();
	case _SC_PHYS_PAGES: return pages(0);
	case _SC_AVPHYS_PAGES: return pages(1);
	}
	if ((unsigned)name < 256 && __homi_system_values[name] != LONG_MIN) return __homi_system_values[name];
	errno = EINVAL;
	return -1;
}

/* What depends on a file's system: the answer once the file has been looked at. */
static long of_file(int name, const struct statvfs *system, const struct stat *file)
{
	switch (name) {
	case _PC_LINK_MAX: return 65000; /* ext4's */
	case _PC_NAME_MAX: return system->f_namemax;
	case _PC_CHOWN_RESTRICTED: return 1;
	case _PC_ASYNC_IO: return S_ISREG(file->st_mode) || S_ISBLK(file->st_mode) ? 1 : -1;
	case _PC_FILESIZEBITS: return 64;
	case _PC_2_SYMLINKS: return 1;
	default: return system->f_bsize;
	}
}

static long of_any(int name)
{
	switch (name) {
	case _PC_MAX_CANON:
	case _PC_MAX_INPUT: return 255;
	case _PC_PATH_MAX:
	case _PC_PIPE_BUF: return 4096;
	case _PC_NO_TRUNC: return 1;
	case _PC_VDISABLE: return 0;
	case _PC_SYNC_IO:
	case _PC_PRIO_IO:
	case _PC_SOCK_MAXBUF:
	case _PC_REC_INCR_XFER_SIZE:
	case _PC_REC_MAX_XFER_SIZE:
	case _PC_SYMLINK_MAX: return -1;
	}
	errno = EINVAL;
	return -1;
}

static int asks_file(int name)
{
	switch (name) {
	case _PC_LINK_MAX: case _PC_NAME_MAX: case _PC_CHOWN_RESTRICTED: case _PC_ASYNC_IO: case _PC_FILESIZEBITS: case _PC_2_SYMLINKS:
	case _PC_REC_MIN_XFER_SIZE: case _PC_REC_XFER_ALIGN: case _PC_ALLOC_SIZE_MIN: return 1;
	}
	return 0;
}

long pathconf(const char *path, int name)
{
	struct statvfs system;
	struct stat file;
	if (!*path) {
		errno = ENOENT;
		return -1;
	}
	if (!asks_file(name)) return of_any(name);
	return statvfs(path, &system) || stat(path, &file) ? -1 : of_file(name, &system, &file);
}

long fpathconf(int descriptor, int name)
{
	struct statvfs system;
	struct stat file;
	if (descriptor < 0) {
		errno = EBADF;
		return -1;
	}
	if (!asks_file(name)) return of_any(name);
	return fstatvfs(descriptor, &system) || fstat(descriptor, &file) ? -1 : of_file(name, &system, &file);
}
