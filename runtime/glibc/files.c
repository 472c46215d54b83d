/* Calls about files that glibc has and musl 1.2.3 lacks: thin wrappers of system calls. */
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/types.h>
#include <unistd.h>
#include "syscall.h"

struct statx;

int statx(int directory, const char *restrict path, int flags, unsigned mask, struct statx *restrict result)
{
	return syscall(SYS_statx, directory, path, flags, mask, result);
}

int renameat2(int old_directory, const char *old, int new_directory, const char *new, unsigned flags)
{
	return syscall(SYS_renameat2, old_directory, old, new_directory, new, flags);
}

struct iovec;

ssize_t preadv2(int fd, const struct iovec *vectors, int count, off_t offset, int flags)
{
	return syscall(SYS_preadv2, fd, vectors, count, offset, 0, flags);
}

ssize_t pwritev2(int fd, const struct iovec *vectors, int count, off_t offset, int flags)
{
	return syscall(SYS_pwritev2, fd, vectors, count, offset, 0, flags);
}

ssize_t preadv64v2(int fd, const struct iovec *vectors, int count, off_t offset, int flags)
{
	return preadv2(fd, vectors, count, offset, flags);
}

ssize_t pwritev64v2(int fd, const struct iovec *vectors, int count, off_t offset, int flags)
{
	return pwritev2(fd, vectors, count, offset, flags);
}

struct epoll_event;
struct timespec;

int epoll_pwait2(int epoll, struct epoll_event *events, int most, const struct timespec *limit, const sigset_t *mask)
{
	return syscall(SYS_epoll_pwait2, epoll, events, most, limit, mask, _NSIG / 8);
}

int execveat(int directory, const char *path, char *const arguments[], char *const environment[], int flags)
{
	return syscall(SYS_execveat, directory, path, arguments, environment, flags);
}

/* The kernel's list of entries begins where the offset says; the offset moves on. */
ssize_t getdirentries(int fd, char *restrict to, size_t room, off_t *restrict offset)
{
	off_t start = lseek(fd, 0, SEEK_CUR);
	ssize_t size = start < 0 ? -1 : syscall(SYS_getdents64, fd, to, room);
	if (size >= 0) *offset = start;
	return size;
}
ssize_t getdirentries64(int fd, char *restrict to, size_t room, off_t *restrict offset)
{
	return getdirentries(fd, to, room, offset);
}

/* Calls that the modeled kernel refuses as an older one does. */
int pidfd_open(pid_t process, unsigned flags) { return syscall(SYS_pidfd_open, process, flags); }
int pidfd_getfd(int process, int fd, unsigned flags) { return syscall(SYS_pidfd_getfd, process, fd, flags); }
int pidfd_send_signal(int process, int signal, siginfo_t *info, unsigned flags)
{
	return syscall(SYS_pidfd_send_signal, process, signal, info, flags);
}
int pkey_alloc(unsigned flags, unsigned rights) { return syscall(SYS_pkey_alloc, flags, rights); }
int pkey_free(int key) { return syscall(SYS_pkey_free, key); }

char *canonicalize_file_name(const char *path)
{
	return realpath(path, 0);
}

int close_range(unsigned first, unsigned last, int flags)
{
	return syscall(SYS_close_range, first, last, flags);
}

void closefrom(int first)
{
	close_range(first < 0 ? 0 : first, ~0U, 0);
}

/* Device numbers: 12 bits of major and 8 of minor in the low half, the rest above, as in the kernel's headers. */
unsigned gnu_dev_major(unsigned long long device)
{
	return (device >> 8 & 0xfff) | (device >> 32 & 0xfffff000);
}

unsigned gnu_dev_minor(unsigned long long device)
{
	return (device & 0xff) | (device >> 12 & 0xffffff00);
}

unsigned long long gnu_dev_makedev(unsigned major, unsigned minor)
{
	return (unsigned long long)(major & 0xfff) << 8 | (unsigned long long)(major & 0xfffff000) << 32
		| (minor & 0xff) | (unsigned long long)(minor & 0xffffff00) << 12;
}

/* The C library's view of a terminal-less world. */
int getdtablesize(void)
{
	return sysconf(_SC_OPEN_MAX);
}
