/* The checked variants that -D_FORTIFY_SOURCE calls. Functions that move a number of bytes compare it with the size that
 * the compiler knew, as natively, where it may be a part of an object; the message is KLEE's. Calls with an argument for
 * the room compare it, too: natively they end the program, however little they write. Functions that move a text compare
 * afterwards: the engine reports an access out of an object itself, with its place, and then the length is known. */
#include <poll.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/types.h>
#include <unistd.h>
#include <wchar.h>

_Noreturn void klee_report_error(const char *file, int line, const char *message, const char *suffix);

/* CHECKED(name): the bytes that are moved have room. */
#define CHECKED(name) \
	if (n > room) klee_report_error("", 0, #name " overflow", "ptr.err")
/* ROOM(name): as much as the program says that it has. */
#define ROOM(name, said) (said) > room ? klee_report_error("", 0, #name " overflow", "ptr.err") : (void)0

/* END(name, to, end): what was written up to `end`, and its end sign, had room. */
#define END(name, to, end) \
	if ((size_t)((end) - (to)) >= room) klee_report_error("", 0, #name " overflow", "ptr.err")

void *__memcpy_chk(void *to, const void *from, size_t n, size_t room)
{
	CHECKED(memcpy);
	return memcpy(to, from, n);
}
void *__memmove_chk(void *to, const void *from, size_t n, size_t room)
{
	CHECKED(memmove);
	return memmove(to, from, n);
}
void *__mempcpy_chk(void *to, const void *from, size_t n, size_t room)
{
	CHECKED(mempcpy);
	return mempcpy(to, from, n);
}
void *__memset_chk(void *to, int value, size_t n, size_t room)
{
	CHECKED(memset);
	return memset(to, value, n);
}
void __explicit_bzero_chk(void *to, size_t n, size_t room) { explicit_bzero(to, n); }
char *__strcpy_chk(char *to, const char *from, size_t room)
{
	END(strcpy, to, stpcpy(to, from));
	return to;
}
char *__stpcpy_chk(char *to, const char *from, size_t room)
{
	char *end = stpcpy(to, from);
	END(stpcpy, to, end);
	return end;
}
char *__strncpy_chk(char *to, const char *from, size_t n, size_t room) { return ROOM(strncpy, n), strncpy(to, from, n); }
char *__stpncpy_chk(char *to, const char *from, size_t n, size_t room) { return ROOM(stpncpy, n), stpncpy(to, from, n); }
char *__strcat_chk(char *to, const char *from, size_t room)
{
	END(strcat, to, stpcpy(to + strlen(to), from));
	return to;
}
char *__strncat_chk(char *to, const char *from, size_t n, size_t room)
{
	size_t had = strlen(to);
	strncat(to + had, from, n);
	END(strncat, to, to + had + strnlen(from, n));
	return to;
}
size_t __strlcpy_chk(char *to, const char *from, size_t n, size_t room) { return ROOM(strlcpy, n), strlcpy(to, from, n); }
size_t __strlcat_chk(char *to, const char *from, size_t n, size_t room) { return ROOM(strlcat, n), strlcat(to, from, n); }

wchar_t *__wmemcpy_chk(wchar_t *to, const wchar_t *from, size_t n, size_t room) { return ROOM(wmemcpy, n), wmemcpy(to, from, n); }
wchar_t *__wmemmove_chk(wchar_t *to, const wchar_t *from, size_t n, size_t room) { return ROOM(wmemmove, n), wmemmove(to, from, n); }
wchar_t *__wmemset_chk(wchar_t *to, wchar_t value, size_t n, size_t room) { return ROOM(wmemset, n), wmemset(to, value, n); }
wchar_t *__wcscpy_chk(wchar_t *to, const wchar_t *from, size_t room)
{
	END(wcscpy, to, wcpcpy(to, from));
	return to;
}
wchar_t *__wcsncpy_chk(wchar_t *to, const wchar_t *from, size_t n, size_t room) { return ROOM(wcsncpy, n), wcsncpy(to, from, n); }
wchar_t *__wcscat_chk(wchar_t *to, const wchar_t *from, size_t room)
{
	END(wcscat, to, wcpcpy(to + wcslen(to), from));
	return to;
}
wchar_t *__wcsncat_chk(wchar_t *to, const wchar_t *from, size_t n, size_t room)
{
	size_t had = wcslen(to);
	wcsncat(to + had, from, n);
	END(wcsncat, to, to + had + wcsnlen(from, n));
	return to;
}
size_t __wcrtomb_chk(char *to, wchar_t from, mbstate_t *state, size_t room) { return wcrtomb(to, from, state); }
int __wctomb_chk(char *to, wchar_t from, size_t room) { return wctomb(to, from); }
size_t __mbstowcs_chk(wchar_t *to, const char *from, size_t n, size_t room) { return ROOM(mbstowcs, n), mbstowcs(to, from, n); }
size_t __wcstombs_chk(char *to, const wchar_t *from, size_t n, size_t room) { return ROOM(wcstombs, n), wcstombs(to, from, n); }
size_t __mbsrtowcs_chk(wchar_t *to, const char **from, size_t n, mbstate_t *state, size_t room)
{
	ROOM(mbsrtowcs, n);
	return mbsrtowcs(to, from, n, state);
}
size_t __mbsnrtowcs_chk(wchar_t *to, const char **from, size_t bytes, size_t n, mbstate_t *state, size_t room)
{
	ROOM(mbsnrtowcs, n);
	return mbsnrtowcs(to, from, bytes, n, state);
}
size_t __wcsrtombs_chk(char *to, const wchar_t **from, size_t n, mbstate_t *state, size_t room)
{
	ROOM(wcsrtombs, n);
	return wcsrtombs(to, from, n, state);
}

wchar_t *__wmempcpy_chk(wchar_t *to, const wchar_t *from, size_t n, size_t room)
{
	return ROOM(wmempcpy, n), wmemcpy(to, from, n) + n;
}
wchar_t *__wcpcpy_chk(wchar_t *to, const wchar_t *from, size_t room)
{
	wchar_t *end = wcpcpy(to, from);
	END(wcpcpy, to, end);
	return end;
}
wchar_t *__wcpncpy_chk(wchar_t *to, const wchar_t *from, size_t n, size_t room) { return ROOM(wcpncpy, n), wcpncpy(to, from, n); }
size_t __wcsnrtombs_chk(char *to, const wchar_t **from, size_t letters, size_t n, mbstate_t *state, size_t room)
{
	ROOM(wcsnrtombs, n);
	return wcsnrtombs(to, from, letters, n, state);
}
wchar_t *__fgetws_chk(wchar_t *to, size_t room, int n, FILE *stream) { return fgetws(to, n, stream); }
wchar_t *__fgetws_unlocked_chk(wchar_t *to, size_t room, int n, FILE *stream) { return fgetws(to, n, stream); }
int __vfwprintf_chk(FILE *stream, int flag, const wchar_t *format, va_list arguments) { return vfwprintf(stream, format, arguments); }
int __vwprintf_chk(int flag, const wchar_t *format, va_list arguments) { return vwprintf(format, arguments); }
char *__getwd_chk(char *to, size_t room) { return getcwd(to, room < 4096 ? room : 4096); }
int __getdomainname_chk(char *to, size_t n, size_t room) { return ROOM(getdomainname, n), getdomainname(to, n); }
int __ptsname_r_chk(int terminal, char *to, size_t n, size_t room) { return ROOM(ptsname_r, n), ptsname_r(terminal, to, n); }

/* PASS(call): run `call` with `arguments` bound to what follows the last named parameter. */
#define PASS(last, call) \
	va_list arguments; \
	va_start(arguments, last); \
	int result = call; \
	va_end(arguments); \
	return result;

int __printf_chk(int flag, const char *format, ...) { PASS(format, vprintf(format, arguments)) }
int __fprintf_chk(FILE *f, int flag, const char *format, ...) { PASS(format, vfprintf(f, format, arguments)) }
int __dprintf_chk(int fd, int flag, const char *format, ...) { PASS(format, vdprintf(fd, format, arguments)) }
int __asprintf_chk(char **to, int flag, const char *format, ...) { PASS(format, vasprintf(to, format, arguments)) }
int __vsprintf_chk(char *to, int flag, size_t room, const char *format, va_list arguments)
{
	int result = vsprintf(to, format, arguments);
	if (result >= 0) END(sprintf, to, to + result);
	return result;
}
int __sprintf_chk(char *to, int flag, size_t room, const char *format, ...)
{
	va_list arguments;
	va_start(arguments, format);
	int result = __vsprintf_chk(to, flag, room, format, arguments);
	va_end(arguments);
	return result;
}
int __snprintf_chk(char *to, size_t n, int flag, size_t room, const char *format, ...)
{
	CHECKED(snprintf);
	PASS(format, vsnprintf(to, n, format, arguments))
}
int __vprintf_chk(int flag, const char *format, va_list arguments) { return vprintf(format, arguments); }
int __vfprintf_chk(FILE *f, int flag, const char *format, va_list arguments) { return vfprintf(f, format, arguments); }
int __vdprintf_chk(int fd, int flag, const char *format, va_list arguments) { return vdprintf(fd, format, arguments); }
int __vasprintf_chk(char **to, int flag, const char *format, va_list arguments)
{
	return vasprintf(to, format, arguments);
}
int __vsnprintf_chk(char *to, size_t n, int flag, size_t room, const char *format, va_list arguments)
{
	CHECKED(vsnprintf);
	return vsnprintf(to, n, format, arguments);
}
int __wprintf_chk(int flag, const wchar_t *format, ...) { PASS(format, vwprintf(format, arguments)) }
int __fwprintf_chk(FILE *f, int flag, const wchar_t *format, ...) { PASS(format, vfwprintf(f, format, arguments)) }
int __swprintf_chk(wchar_t *to, size_t n, int flag, size_t room, const wchar_t *format, ...)
{
	CHECKED(swprintf);
	PASS(format, vswprintf(to, n, format, arguments))
}
int __vswprintf_chk(wchar_t *to, size_t n, int flag, size_t room, const wchar_t *format, va_list arguments)
{
	CHECKED(vswprintf);
	return vswprintf(to, n, format, arguments);
}

void syslog(int, const char *, ...);
void vsyslog(int, const char *, va_list);
void __vsyslog_chk(int priority, int flag, const char *format, va_list arguments) { vsyslog(priority, format, arguments); }
void __syslog_chk(int priority, int flag, const char *format, ...)
{
	va_list arguments;
	va_start(arguments, format);
	vsyslog(priority, format, arguments);
	va_end(arguments);
}

/* Room for the end alone is no line here. */
char *__fgets_chk(char *to, size_t room, int n, FILE *f)
{
	char *read = n == 1 ? 0 : fgets(to, n, f);
	if (read && (size_t)n > room) END(fgets, to, to + strlen(to));
	return read;
}
char *__fgets_unlocked_chk(char *to, size_t room, int n, FILE *f) { return __fgets_chk(to, room, n, f); }
size_t __fread_chk(void *to, size_t room, size_t size, size_t n, FILE *f) { return ROOM(fread, size * n), fread(to, size, n, f); }
size_t __fread_unlocked_chk(void *to, size_t room, size_t size, size_t n, FILE *f)
{
	ROOM(fread, size * n);
	return fread_unlocked(to, size, n, f);
}
/* Without a limit on the line: the engine reports the write past the end. */
char *__gets_chk(char *to, size_t room)
{
	int c = EOF;
	char *p = to;
	while ((c = getchar()) != EOF && c != '\n') *p++ = c;
	*p = 0;
	return c == EOF && p == to ? 0 : to;
}

ssize_t __read_chk(int fd, void *to, size_t n, size_t room) { return ROOM(read, n), read(fd, to, n); }
ssize_t __pread_chk(int fd, void *to, size_t n, off_t at, size_t room) { return ROOM(pread, n), pread(fd, to, n, at); }
ssize_t __pread64_chk(int fd, void *to, size_t n, off_t at, size_t room) { return ROOM(pread, n), pread(fd, to, n, at); }
ssize_t __recv_chk(int fd, void *to, size_t n, size_t room, int flags) { return ROOM(recv, n), recv(fd, to, n, flags); }
ssize_t __recvfrom_chk(int fd, void *to, size_t n, size_t room, int flags, struct sockaddr *from, socklen_t *size)
{
	ROOM(recvfrom, n);
	return recvfrom(fd, to, n, flags, from, size);
}
ssize_t __readlink_chk(const char *path, char *to, size_t n, size_t room) { return ROOM(readlink, n), readlink(path, to, n); }
ssize_t __readlinkat_chk(int fd, const char *path, char *to, size_t n, size_t room)
{
	return ROOM(readlinkat, n), readlinkat(fd, path, to, n);
}
char *__getcwd_chk(char *to, size_t n, size_t room) { return ROOM(getcwd, n), getcwd(to, n); }
char *__realpath_chk(const char *path, char *to, size_t room) { return ROOM(realpath, 4096), realpath(path, to); }
size_t __confstr_chk(int name, char *to, size_t n, size_t room) { return ROOM(confstr, n), confstr(name, to, n); }
int __gethostname_chk(char *to, size_t n, size_t room) { return ROOM(gethostname, n), gethostname(to, n); }
int __getgroups_chk(int n, gid_t *to, size_t room) { return ROOM(getgroups, n * sizeof *to), getgroups(n, to); }
int __getlogin_r_chk(char *to, size_t n, size_t room) { return ROOM(getlogin_r, n), getlogin_r(to, n); }
int __ttyname_r_chk(int fd, char *to, size_t n, size_t room) { return ROOM(ttyname_r, n), ttyname_r(fd, to, n); }
int __poll_chk(struct pollfd *fds, nfds_t n, int timeout, size_t room) { return ROOM(poll, n * sizeof *fds), poll(fds, n, timeout); }
int __ppoll_chk(struct pollfd *fds, nfds_t n, const struct timespec *timeout, const sigset_t *mask, size_t room)
{
	ROOM(ppoll, n * sizeof *fds);
	return ppoll(fds, n, timeout, mask);
}

_Noreturn void __fortify_fail(const char *);
/* A file that may be created needs its mode. */
static void check_open(const char *call, int flags)
{
	int temporary = 020000000 | 0200000;
	if (flags & 0100 || (flags & temporary) == temporary) __fortify_fail(call);
}
int __open_2(const char *path, int flags)
{
	int open(const char *, int, ...);
	check_open("invalid open call: O_CREAT or O_TMPFILE without mode", flags);
	return open(path, flags);
}
int __open64_2(const char *path, int flags) { return __open_2(path, flags); }
int __openat_2(int fd, const char *path, int flags)
{
	int openat(int, const char *, int, ...);
	check_open("invalid openat call: O_CREAT or O_TMPFILE without mode", flags);
	return openat(fd, path, flags);
}
int __openat64_2(int fd, const char *path, int flags) { return __openat_2(fd, path, flags); }

_Noreturn void longjmp(jmp_buf, int);
_Noreturn void __longjmp_chk(jmp_buf buffer, int value) { longjmp(buffer, value); }

_Noreturn void __fortify_fail(const char *what)
{
	fprintf(stderr, "*** %s ***: terminated\n", what);
	abort();
}
_Noreturn void __chk_fail(void) { __fortify_fail("buffer overflow detected"); }

/* FD_SET and its like: the word that a descriptor lies in. */
long __fdelt_chk(long descriptor)
{
	if ((unsigned long)descriptor >= 1024) __chk_fail();
	return descriptor / __LONG_WIDTH__;
}
long __fdelt_warn(long descriptor) { return __fdelt_chk(descriptor); }
