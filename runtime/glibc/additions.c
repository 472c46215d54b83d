/* Functions of glibc's that musl lacks and that a line or two make: names of errors and signals, floating-point types by width, neighbors
 * of numbers, waits on other clocks, old names. */
#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <pthread.h>
#include <search.h>
#include <semaphore.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>
#include <wchar.h>

float strtof32(const char *text, char **end) { return strtof(text, end); }
double strtof64(const char *text, char **end) { return strtod(text, end); }
double strtof32x(const char *text, char **end) { return strtod(text, end); }
long double strtof64x(const char *text, char **end) { return strtold(text, end); }
long wcstol_l(const wchar_t *text, wchar_t **end, int base, locale_t locale) { return wcstol(text, end, base); }
unsigned long wcstoul_l(const wchar_t *text, wchar_t **end, int base, locale_t locale) { return wcstoul(text, end, base); }
long long wcstoll_l(const wchar_t *text, wchar_t **end, int base, locale_t locale) { return wcstoll(text, end, base); }
unsigned long long wcstoull_l(const wchar_t *text, wchar_t **end, int base, locale_t locale) { return wcstoull(text, end, base); }
double wcstod_l(const wchar_t *text, wchar_t **end, locale_t locale) { return wcstod(text, end); }
float wcstof_l(const wchar_t *text, wchar_t **end, locale_t locale) { return wcstof(text, end); }
long double wcstold_l(const wchar_t *text, wchar_t **end, locale_t locale) { return wcstold(text, end); }
char *strptime_l(const char *text, const char *format, struct tm *tm, locale_t locale) { return strptime(text, format, tm); }

/* A number by a format with one conversion, of which only a precision and the letter are free. */
#define FROM(name, type) \
	int name(char *to, size_t room, const char *format, type value) { return snprintf(to, room, format, (double)value); }
FROM(strfromd, double)
FROM(strfromf, float)
int strfroml(char *to, size_t room, const char *format, long double value)
{
	char with_size[40];
	size_t length = strlen(format);
	if (length > 30) return -1;
	memcpy(with_size, format, length - 1);
	with_size[length - 1] = 'L', with_size[length] = format[length - 1], with_size[length + 1] = 0;
	return snprintf(to, room, with_size, value);
}

double nextup(double x) { return nextafter(x, INFINITY); }
float nextupf(float x) { return nextafterf(x, INFINITY); }
long double nextupl(long double x) { return nextafterl(x, INFINITY); }
double nextdown(double x) { return nextafter(x, -INFINITY); }
float nextdownf(float x) { return nextafterf(x, -INFINITY); }
long double nextdownl(long double x) { return nextafterl(x, -INFINITY); }

int pthread_yield(void) { return sched_yield(); }
int timespec_getres(struct timespec *to, int base) { return base == TIME_UTC && clock_getres(CLOCK_REALTIME, to) == 0 ? base : 0; }
int dysize(int year) { return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 366 : 365; }
int gsignal(int signal) { return raise(signal); }
void (*ssignal(int number, void (*handler)(int)))(int) { return signal(number, handler); }
char *getwd(char *to) { return getcwd(to, 4096); }
int fcloseall(void) { return fflush(0); }
void *memfrob(void *text, size_t n)
{
	for (size_t i = 0; i < n; i++) ((unsigned char *)text)[i] ^= 42;
	return text;
}

/* glibc's shuffle, with other numbers in each process. */
char *strfry(char *text)
{
	static int seeded;
	static unsigned state;
	size_t n = strlen(text);
	if (!seeded) state = (unsigned)time(0) ^ (unsigned)getpid(), seeded = 1;
	for (size_t i = 0; i + 1 < n; i++) {
		size_t j = i + (unsigned)rand_r(&state) % (n - i);
		char c = text[i];
		text[i] = text[j];
		text[j] = c;
	}
	return text;
}

struct cmsghdr *__cmsg_nxthdr(struct msghdr *message, struct cmsghdr *control) { return CMSG_NXTHDR(message, control); }

static const char *const signal_names[] = {0, "HUP", "INT", "QUIT", "ILL", "TRAP", "ABRT", "BUS", "FPE", "KILL", "USR1", "SEGV", "USR2", "PIPE",
	"ALRM", "TERM", "STKFLT", "CHLD", "CONT", "STOP", "TSTP", "TTIN", "TTOU", "URG", "XCPU", "XFSZ", "VTALRM", "PROF", "WINCH", "POLL", "PWR", "SYS"};
const char *sigabbrev_np(int signal) { return signal > 0 && signal < 32 ? signal_names[signal] : 0; }
