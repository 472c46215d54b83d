/* A new thread begins in the modeled kernel, which keeps its call stack; the memory for one is not used. Everything else
 * (posix_spawn and with it system and popen, which pass no more arguments) is a new process, which goes on here on a path of its own. */
#define _GNU_SOURCE
#include <errno.h>
#include <stdarg.h>
#include <sched.h>
#include "pthread_impl.h"
#include "syscall.h"

long __homi_clone(int (*)(void *), long, void *, int *, void *, volatile int *);

int __clone(int (*function)(void *), void *stack, int flags, void *argument, ...)
{
	va_list list;
	int *parent;
	void *pointer;
	volatile int *clear_at_exit;
	if (!(flags & CLONE_THREAD)) {
		long process = __syscall(SYS_clone, flags, stack);
		if (process == 0) __syscall(SYS_exit, function(argument));
		return process;
	}
	va_start(list, argument);
	parent = va_arg(list, int *);
	pointer = va_arg(list, void *);
	clear_at_exit = va_arg(list, volatile int *);
	va_end(list);
	return __homi_clone(function, flags, argument, parent, pointer, clear_at_exit);
}
