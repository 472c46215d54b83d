/* Barriers: as with glibc, the last thread gets PTHREAD_BARRIER_SERIAL_THREAD, and a thread that destroys a barrier waits until all have left. */
#include <limits.h>
#include "pthread_impl.h"

#define inside _b_waiters2
#define round _b_lock

int pthread_barrier_init(pthread_barrier_t *restrict b, const pthread_barrierattr_t *restrict attributes, unsigned count)
{
	if (count - 1 > INT_MAX - 1) return EINVAL;
	*b = (pthread_barrier_t){._b_limit = count - 1};
	return 0;
}

static void leave(pthread_barrier_t *b)
{
	if (--b->inside == 0) __wake(&b->inside, -1, 1);
}

int pthread_barrier_wait(pthread_barrier_t *b)
{
	int now = b->round;
	b->inside++;
	if (b->_b_count++ == b->_b_limit) {
		b->_b_count = 0;
		b->round++;
		__wake(&b->round, -1, 1);
		leave(b);
		return PTHREAD_BARRIER_SERIAL_THREAD;
	}
	while (b->round == now) __wait(&b->round, 0, now, 1);
	leave(b);
	return 0;
}

int pthread_barrier_destroy(pthread_barrier_t *b)
{
	int others;
	while ((others = b->inside)) __wait(&b->inside, 0, others, 1);
	return 0;
}
