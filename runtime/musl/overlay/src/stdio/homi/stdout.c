/* Standard output, fully buffered even on a terminal: a line-buffered stream compares each byte with newline,
 * and for a symbolic byte that is a fork per character. Nobody watches the modeled terminal. */
#include "stdio_impl.h"

#undef stdout

static unsigned char buffer[UNGET + BUFSIZ];

hidden FILE __stdout_FILE = {
	.fd = 1,
	.flags = F_PERM | F_NORD,
	.buf = buffer + UNGET,
	.buf_size = BUFSIZ,
	.lbf = EOF,
	.lock = -1,
	.write = __stdio_write,
	.seek = __stdio_seek,
	.close = __stdio_close,
};
/* The engine runs it before the constructors where each write is to be seen at once, as it is with KLEE: what
 * is still in the buffer is lost when a path ends in a bug. */
void __homi_unbuffer_stdout(void)
{
	__stdout_FILE.buf_size = 0;
}

FILE *stdout = &__stdout_FILE;
FILE *volatile __stdout_used = &__stdout_FILE;
