/* A cancellation point: a request that has come is looked at before the system call, and after one that was interrupted. */
#include <errno.h>
#include "libc.h"
#include "pthread_impl.h"
#include "syscall.h"

long __cancel(void);

long (__syscall_cp)(syscall_arg_t number, syscall_arg_t a, syscall_arg_t b, syscall_arg_t c,
	syscall_arg_t d, syscall_arg_t e, syscall_arg_t f)
{
	pthread_t self = __pthread_self();
	int state = self->canceldisable;
	long result;
	if (!self->cancel && !libc.threads_minus_1) return __syscall(number, a, b, c, d, e, f);
	if (state && (state == PTHREAD_CANCEL_DISABLE || number == SYS_close)) return __syscall(number, a, b, c, d, e, f);
	if (self->cancel) return __cancel();
	result = __syscall(number, a, b, c, d, e, f);
	if (result == -EINTR && number != SYS_close && self->cancel && self->canceldisable != PTHREAD_CANCEL_DISABLE)
		result = __cancel();
	return result;
}
