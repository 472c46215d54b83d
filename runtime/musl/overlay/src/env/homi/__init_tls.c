/* Control blocks of threads. Thread-local variables of a program are ordinary globals to the engine, whose bytes
 * the modeled kernel exchanges when it switches threads, so a thread's TLS area holds its control block only. */
#include <stddef.h>
#include "pthread_impl.h"
#include "libc.h"

volatile int __thread_list_lock;

static struct __pthread main_thread;

int __init_tp(void *block)
{
	struct pthread *self = block;
	__homi_thread_pointer = block;
	self->self = self;
	self->next = self->prev = self;
	self->detach_state = DT_JOINABLE;
	self->tid = __syscall(SYS_set_tid_address, &__thread_list_lock);
	self->locale = &libc.global_locale;
	self->robust_list.head = &self->robust_list.head;
	return 0;
}

/* A control block at the start of the area for it, whose bytes are zero. */
void *__copy_tls(unsigned char *memory)
{
	return memory + (-(uintptr_t)memory & 15);
}

void __init_tls(size_t *unused_auxiliary_vector)
{
	libc.tls_size = (sizeof main_thread + 31) & -16;
	libc.can_do_threads = 1;
	__init_tp(&main_thread);
}
