/* musl refuses to move the program break, so that only its own allocator does. Programs with an allocator of their own
 * (bash, csh) build on it, and on glibc it works. */
#define _BSD_SOURCE
#include <errno.h>
#include <stdint.h>
#include <unistd.h>
#include "syscall.h"

void *sbrk(intptr_t increment)
{
	uintptr_t now = (uintptr_t)__syscall(SYS_brk, 0), wanted = now + (uintptr_t)increment;
	if (increment && (uintptr_t)__syscall(SYS_brk, wanted) != wanted) return (void *)__syscall_ret(-ENOMEM);
	return (void *)now;
}
