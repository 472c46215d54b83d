/* As glibc: an address that is no page's start is refused; musl would begin at its page. */
#include <sys/mman.h>
#include "syscall.h"

int __mprotect(void *address, size_t length, int protection)
{
	return syscall(SYS_mprotect, address, length, protection);
}

weak_alias(__mprotect, mprotect);
