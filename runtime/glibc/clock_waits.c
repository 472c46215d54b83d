/* Waits whose time limit is on a clock of choice, by musl's functions for one clock each: they get the moment on that clock. */
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <time.h>
#include "pthread_impl.h"

enum { SECOND = 1000000000 };

/* The moment on another clock. One that is no time stays for the function to refuse. */
static const struct timespec *moment(clockid_t from, clockid_t to, const struct timespec *until, struct timespec *other)
{
	struct timespec now, other_now;
	if (from == to || (unsigned long)until->tv_nsec >= SECOND) return until;
	clock_gettime(from, &now);
	clock_gettime(to, &other_now);
	other->tv_sec = until->tv_sec - now.tv_sec + other_now.tv_sec;
	other->tv_nsec = until->tv_nsec - now.tv_nsec + other_now.tv_nsec;
	if (other->tv_nsec < 0) other->tv_sec--, other->tv_nsec += SECOND;
	if (other->tv_nsec >= SECOND) other->tv_sec++, other->tv_nsec -= SECOND;
	return other;
}

static int is_known(clockid_t clock) { return clock == CLOCK_REALTIME || clock == CLOCK_MONOTONIC; }

int pthread_cond_clockwait(pthread_cond_t *c, pthread_mutex_t *m, clockid_t clock, const struct timespec *until)
{
	struct timespec other;
	return is_known(clock) ? pthread_cond_timedwait(c, m, moment(clock, c->_c_clock, until, &other)) : EINVAL;
}

int pthread_rwlock_clockrdlock(pthread_rwlock_t *lock, clockid_t clock, const struct timespec *until)
{
	struct timespec other;
	return is_known(clock) ? pthread_rwlock_timedrdlock(lock, moment(clock, CLOCK_REALTIME, until, &other)) : EINVAL;
}

int pthread_rwlock_clockwrlock(pthread_rwlock_t *lock, clockid_t clock, const struct timespec *until)
{
	struct timespec other;
	return is_known(clock) ? pthread_rwlock_timedwrlock(lock, moment(clock, CLOCK_REALTIME, until, &other)) : EINVAL;
}

int pthread_clockjoin_np(pthread_t thread, void **result, clockid_t clock, const struct timespec *until)
{
	struct timespec other;
	return is_known(clock) ? pthread_timedjoin_np(thread, result, moment(clock, CLOCK_REALTIME, until, &other)) : EINVAL;
}

int sem_clockwait(sem_t *semaphore, clockid_t clock, const struct timespec *until)
{
	struct timespec other;
	if (is_known(clock)) return sem_timedwait(semaphore, moment(clock, CLOCK_REALTIME, until, &other));
	errno = EINVAL;
	return -1;
}
