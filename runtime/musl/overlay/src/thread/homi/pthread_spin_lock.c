/* Nobody else runs while this thread spins, so it gives way instead. */
#include <errno.h>
#include "pthread_impl.h"

void __homi_spin(void);

int pthread_spin_lock(pthread_spinlock_t *lock)
{
	while (*(volatile int *)lock || a_cas(lock, 0, EBUSY)) __homi_spin();
	return 0;
}
