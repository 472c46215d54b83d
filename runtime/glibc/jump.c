/* Jumps that save and restore the signal mask. The jump itself is the engine's; these bodies are entered only where a mask
 * is involved, and sigsetjmp has the engine note the place of its caller. Layout of glibc's jmp_buf. */
#define _GNU_SOURCE
#include <signal.h>
#include "syscall.h"

struct jump {
#if __SIZEOF_POINTER__ == 8
	long place[8];
	int has_mask;
	int padding;
#else
	long place[6];
	int has_mask;
#endif
	unsigned char mask[128];
};

void __homi_handlers_left(void);
int homi_set_jump_of_caller(struct jump *);
_Noreturn void homi_long_jump(struct jump *, int);

int __sigsetjmp(struct jump *buffer, int saves)
{
	buffer->has_mask = saves;
	if (saves) __syscall(SYS_rt_sigprocmask, SIG_BLOCK, 0, buffer->mask, 8);
	return homi_set_jump_of_caller(buffer);
}

int sigsetjmp(struct jump *, int) __attribute__((alias("__sigsetjmp")));

/* A signal that the old mask lets through is handled before the jump. */
_Noreturn void siglongjmp(struct jump *buffer, int value)
{
	if (buffer->has_mask) {
		__homi_handlers_left();
		__syscall(SYS_rt_sigprocmask, SIG_SETMASK, buffer->mask, 0, 8);
	}
	homi_long_jump(buffer, value);
}

_Noreturn void longjmp(struct jump *, int) __attribute__((alias("siglongjmp")));
_Noreturn void _longjmp(struct jump *, int) __attribute__((alias("siglongjmp")));
