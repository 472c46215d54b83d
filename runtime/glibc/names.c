/* Second names under which glibc exports functions that libc.bc has. A program compiled against glibc's headers calls
 * them from inline functions, from macros or by habit. Plain wrappers, so that a stack trace shows the name called. */
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <wchar.h>
#include <wctype.h>

/* C++ and gnulib ask it to choose cheaper code: there is one thread. */
char __libc_single_threaded = 1;

char *__strdup(const char *s) { return strdup(s); }
char *__strndup(const char *s, size_t n) { return strndup(s, n); }
char *__strtok_r(char *s, const char *separators, char **rest) { return strtok_r(s, separators, rest); }
int __strcasecmp(const char *a, const char *b) { return strcasecmp(a, b); }
char *__strcasestr(const char *s, const char *needle) { return strcasestr(s, needle); }
int __strverscmp(const char *a, const char *b) { return strverscmp(a, b); }
char *__strsep_g(char **s, const char *separators) { return strsep(s, separators); }
void *__mempcpy(void *to, const void *from, size_t n) { return mempcpy(to, from, n); }
void __bzero(void *to, size_t n) { memset(to, 0, n); }
int __memcmpeq(const void *a, const void *b, size_t n) { return memcmp(a, b, n); }
int __ffs(int word) { return ffs(word); }

size_t __mbrlen(const char *s, size_t n, mbstate_t *state) { return mbrlen(s, n, state); }
size_t __mbrtowc(wchar_t *to, const char *from, size_t n, mbstate_t *state) { return mbrtowc(to, from, n, state); }
int __iswctype(wint_t c, wctype_t type) { return iswctype(c, type); }
wint_t __towctrans(wint_t c, wctrans_t map) { return towctrans(c, map); }
wchar_t *wcschrnul(const wchar_t *s, wchar_t c)
{
	while (*s && *s != c) s++;
	return (wchar_t *)s;
}
wchar_t *wmempcpy(wchar_t *to, const wchar_t *from, size_t n) { return wmemcpy(to, from, n) + n; }
int _tolower(int c) { return c | 32; }
int _toupper(int c) { return c & ~32; }

#define PASS(last, call) \
	va_list arguments; \
	va_start(arguments, last); \
	int result = call; \
	va_end(arguments); \
	return result;

int __asprintf(char **to, const char *format, ...) { PASS(format, vasprintf(to, format, arguments)) }
int __snprintf(char *to, size_t n, const char *format, ...) { PASS(format, vsnprintf(to, n, format, arguments)) }
int __vsnprintf(char *to, size_t n, const char *format, va_list arguments) { return vsnprintf(to, n, format, arguments); }
int __vsscanf(const char *s, const char *format, va_list arguments) { return vsscanf(s, format, arguments); }
int __vfscanf(FILE *f, const char *format, va_list arguments) { return vfscanf(f, format, arguments); }

/* Functions to which <stdio.h> of glibc 2.38 and later redirects scanf and its variants. */
int __isoc23_scanf(const char *format, ...) { PASS(format, vscanf(format, arguments)) }
int __isoc23_fscanf(FILE *f, const char *format, ...) { PASS(format, vfscanf(f, format, arguments)) }
int __isoc23_sscanf(const char *s, const char *format, ...) { PASS(format, vsscanf(s, format, arguments)) }
int __isoc23_vscanf(const char *format, va_list arguments) { return vscanf(format, arguments); }
int __isoc23_vfscanf(FILE *f, const char *format, va_list arguments) { return vfscanf(f, format, arguments); }
int __isoc23_vsscanf(const char *s, const char *format, va_list arguments) { return vsscanf(s, format, arguments); }

int fcntl64(int fd, int command, ...)
{
	va_list arguments;
	va_start(arguments, command);
	void *argument = va_arg(arguments, void *);
	va_end(arguments);
	return fcntl(fd, command, argument);
}
int __fcntl(int fd, int command, ...)
{
	va_list arguments;
	va_start(arguments, command);
	void *argument = va_arg(arguments, void *);
	va_end(arguments);
	return fcntl(fd, command, argument);
}
/* The mode is read even where none was passed; open ignores it then. */
int __open(const char *path, int flags, ...)
{
	va_list arguments;
	va_start(arguments, flags);
	unsigned mode = flags & O_CREAT ? va_arg(arguments, unsigned) : 0;
	va_end(arguments);
	return open(path, flags, mode);
}
int __open64(const char *path, int flags, ...)
{
	va_list arguments;
	va_start(arguments, flags);
	unsigned mode = flags & O_CREAT ? va_arg(arguments, unsigned) : 0;
	va_end(arguments);
	return open(path, flags, mode);
}
int __close(int fd) { return close(fd); }
ssize_t __read(int fd, void *to, size_t n) { return read(fd, to, n); }
ssize_t __write(int fd, const void *from, size_t n) { return write(fd, from, n); }
ssize_t __pread64(int fd, void *to, size_t n, off_t at) { return pread(fd, to, n, at); }
ssize_t __pwrite64(int fd, const void *from, size_t n, off_t at) { return pwrite(fd, from, n, at); }
ssize_t __send(int fd, const void *from, size_t n, int flags) { return send(fd, from, n, flags); }
ssize_t __recv(int fd, void *to, size_t n, int flags) { return recv(fd, to, n, flags); }
int __dup2(int old, int new) { return dup2(old, new); }
int __pipe(int *ends) { return pipe(ends); }
pid_t __getpid(void) { return getpid(); }
pid_t __fork(void) { return fork(); }
pid_t __vfork(void) { return fork(); }
pid_t __waitpid(pid_t pid, int *status, int options) { return waitpid(pid, status, options); }
int __getpagesize(void) { return getpagesize(); }
long __sysconf(int name) { return sysconf(name); }
int __gettimeofday(struct timeval *restrict to, void *restrict zone) { return gettimeofday(to, zone); }
int __nanosleep(const struct timespec *wanted, struct timespec *left) { return nanosleep(wanted, left); }
int __getrlimit(int resource, struct rlimit *to) { return getrlimit(resource, to); }
int __sched_yield(void) { int sched_yield(void); return sched_yield(); }
int __fseeko64(FILE *f, off_t at, int whence) { return fseeko(f, at, whence); }
off_t __ftello64(FILE *f) { return ftello(f); }
time_t timelocal(struct tm *tm) { return mktime(tm); }

/* sched.h's CPU_ALLOC and CPU_FREE. */
void *__sched_cpualloc(size_t count) { return calloc((count + 63) / 64, 8); }
void __sched_cpufree(void *set) { free(set); }

/* Translations: there are none. */
char *dcgettext(const char *, const char *, int);
char *dgettext(const char *, const char *);
char *__dcgettext(const char *domain, const char *text, int category) { return dcgettext(domain, text, category); }
char *__dgettext(const char *domain, const char *text) { return dgettext(domain, text); }

_Noreturn void __assert_perror_fail(int number, const char *file, unsigned line, const char *function)
{
	fprintf(stderr, "%s: %s:%u: %s%sUnexpected error: %s.\n", program_invocation_short_name, file, line,
		function ? function : "", function ? ": " : "", strerror(number));
	abort();
}
_Noreturn void __assert(const char *text, const char *file, int line)
{
	__assert_fail(text, file, line, 0);
}

/* Destructors of thread_local objects: there is one thread, which ends with the program. */
int __cxa_atexit(void (*function)(void *), void *argument, void *object);
int __cxa_thread_atexit_impl(void (*function)(void *), void *argument, void *object)
{
	return __cxa_atexit(function, argument, object);
}
int __register_atfork(void (*prepare)(void), void (*parent)(void), void (*child)(void), void *object)
{
	int pthread_atfork(void (*)(void), void (*)(void), void (*)(void));
	return pthread_atfork(prepare, parent, child);
}

int __xpg_sigpause(int signal) { return sigpause(signal); }
