/* Cancellation is not modelled: nobody can be cancelled. */
#include <errno.h>
#include "pthread_impl.h"
#include "syscall.h"

long __cancel(void)
{
	return -ECANCELED;
}

void __testcancel(void)
{
}

int pthread_cancel(pthread_t thread)
{
	return ESRCH;
}
