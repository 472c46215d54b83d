/* The control block of the only thread. Thread-local variables of a program are ordinary globals to the
 * engine, so no TLS image is copied and no thread pointer register is set. */
#include <stddef.h>
#include "pthread_impl.h"
#include "libc.h"

volatile int __thread_list_lock;

struct __pthread __homi_main_thread;

int __init_tp(void *block)
{
	struct pthread *self = block;
	self->self = self;
	self->next = self->prev = self;
	self->detach_state = DT_JOINABLE;
	self->tid = __syscall(SYS_set_tid_address, &__thread_list_lock);
	self->locale = &libc.global_locale;
	self->robust_list.head = &self->robust_list.head;
	return 0;
}

/* Threads cannot be created: libc.can_do_threads stays 0, so nobody asks for a copy. */
void *__copy_tls(unsigned char *memory)
{
	return 0;
}

void __init_tls(size_t *unused_auxiliary_vector)
{
	__init_tp(&__homi_main_thread);
}
