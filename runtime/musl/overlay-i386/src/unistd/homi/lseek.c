/* An offset does not fit into the result of musl's wrapper of system calls. */
#include <unistd.h>
#include <errno.h>
#include "syscall.h"

off_t __lseek(int descriptor, off_t offset, int whence)
{
	long long result = __homi_syscall(SYS_lseek, descriptor, offset, whence, 0, 0, 0);
	if (result >= 0 || result < -4095) return result;
	errno = -result;
	return -1;
}

weak_alias(__lseek, lseek);
weak_alias(__lseek, lseek64);
