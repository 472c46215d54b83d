/* Nobody else runs while this thread spins, so it gives way instead. */
#include <errno.h>
#include "pthread_impl.h"
#include "syscall.h"

int pthread_spin_lock(pthread_spinlock_t *lock)
{
	while (*(volatile int *)lock || a_cas(lock, 0, EBUSY)) __syscall(SYS_sched_yield);
	return 0;
}
