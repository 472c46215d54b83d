/* Moves the program break; see sbrk.c. */
#define _BSD_SOURCE
#include <errno.h>
#include <stdint.h>
#include <unistd.h>
#include "syscall.h"

int brk(void *end)
{
	if ((uintptr_t)__syscall(SYS_brk, end) < (uintptr_t)end) return __syscall_ret(-ENOMEM);
	return 0;
}
