/* glibc's pthread_cleanup_push and pthread_cleanup_pop in C without exceptions: a jump back into the function
 * that pushed, which calls the handler and then continues with the end of the thread. The buffer is glibc's: a jump buffer
 * of 72 bytes and four words, three of which are musl's entry in the list of handlers here. */
#include <setjmp.h>
#include "pthread_impl.h"

struct unwinding {
#if __SIZEOF_POINTER__ == 8
	long jump[9];
	struct __ptcb handler;
#define OLD_TYPE(buffer) ((int *)&(buffer)->jump[8] + 1)
#else
	/* Of glibc for i386: 28 bytes and four words. */
	long jump[7];
	struct __ptcb handler;
	int old_type;
#define OLD_TYPE(buffer) (&(buffer)->old_type)
#endif
};

_Noreturn void homi_long_jump(void *, int);
void __do_cleanup_push(struct __ptcb *);
void __do_cleanup_pop(struct __ptcb *);

static void go_back(void *buffer) { homi_long_jump(buffer, 1); }

void __pthread_register_cancel(struct unwinding *buffer)
{
	buffer->handler.__f = go_back;
	buffer->handler.__x = buffer;
	__do_cleanup_push(&buffer->handler);
}

void __pthread_unregister_cancel(struct unwinding *buffer) { __do_cleanup_pop(&buffer->handler); }

/* The handler has been called. */
_Noreturn void __pthread_unwind_next(struct unwinding *buffer) { pthread_exit(__pthread_self()->result); }

/* pthread_cleanup_push_defer_np and pop_restore_np: asynchronous cancellation waits meanwhile. */
void __pthread_register_cancel_defer(struct unwinding *buffer)
{
	__pthread_register_cancel(buffer);
	pthread_setcanceltype(PTHREAD_CANCEL_DEFERRED, OLD_TYPE(buffer));
}

void __pthread_unregister_cancel_restore(struct unwinding *buffer)
{
	__pthread_unregister_cancel(buffer);
	pthread_setcanceltype(*OLD_TYPE(buffer), 0);
}
