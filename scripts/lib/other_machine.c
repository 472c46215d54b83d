/* Preloaded into the second native run of a suite's test: calendar and kernel's name are others there, so what a test
 * prints of them differs between the two runs. */
#define _GNU_SOURCE 1
#include <dlfcn.h>
#include <string.h>
#include <sys/time.h>
#include <sys/utsname.h>
#include <time.h>

/* Another year, month, day, weekday, hour, minute and second. */
#define BACK (((1000L * 24 + 5) * 60 + 41) * 60 + 27)

static int real_clock(clockid_t clock, struct timespec *now)
{
	int (*real)(clockid_t, struct timespec *) = (int (*)(clockid_t, struct timespec *))dlsym(RTLD_NEXT, "clock_gettime");
	return real(clock, now);
}

int clock_gettime(clockid_t clock, struct timespec *now)
{
	int failed = real_clock(clock, now);
	if (!failed && clock == CLOCK_REALTIME) now->tv_sec -= BACK;
	return failed;
}

time_t time(time_t *to)
{
	struct timespec now;
	clock_gettime(CLOCK_REALTIME, &now);
	if (to) *to = now.tv_sec;
	return now.tv_sec;
}

int gettimeofday(struct timeval *to, void *zone)
{
	struct timespec now;
	clock_gettime(CLOCK_REALTIME, &now);
	to->tv_sec = now.tv_sec;
	to->tv_usec = now.tv_nsec / 1000;
	return 0;
}

int uname(struct utsname *to)
{
	int (*real)(struct utsname *) = (int (*)(struct utsname *))dlsym(RTLD_NEXT, "uname");
	int failed = real(to);
	if (failed) return failed;
	strcpy(to->nodename, "elsewhere");
	strcpy(to->release, "another");
	strcpy(to->version, "of another day");
	return 0;
}
