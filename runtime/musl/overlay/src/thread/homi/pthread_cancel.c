/* Cancellation on a scheduler that switches threads only inside system calls: the request is a flag, and a thread that waits
 * goes on with EINTR, so that the cancellation point (__syscall_cp.c) sees the flag. A thread whose type is asynchronous ends as
 * soon as it runs again. */
#include <errno.h>
#include "pthread_impl.h"
#include "syscall.h"

long __homi_interrupt_thread(long number, void (*when_it_runs)(void));

long __cancel(void)
{
	pthread_t self = __pthread_self();
	if (self->canceldisable == PTHREAD_CANCEL_ENABLE || self->cancelasync) pthread_exit(PTHREAD_CANCELED);
	self->canceldisable = PTHREAD_CANCEL_DISABLE;
	return -ECANCELED;
}

void __testcancel(void)
{
	pthread_t self = __pthread_self();
	if (self->cancel && !self->canceldisable) __cancel();
}

static void cancel_at_once(void)
{
	pthread_t self = __pthread_self();
	if (self->cancel && self->cancelasync && self->canceldisable == PTHREAD_CANCEL_ENABLE) __cancel();
}

int pthread_cancel(pthread_t thread)
{
	thread->cancel = 1;
	if (thread == pthread_self()) cancel_at_once();
	else if (thread->tid) __homi_interrupt_thread(thread->tid, cancel_at_once);
	return 0;
}
