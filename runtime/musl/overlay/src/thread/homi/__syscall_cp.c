/* A cancellation point is an ordinary system call (see pthread_cancel.c). */
#include "pthread_impl.h"
#include "syscall.h"

long (__syscall_cp)(syscall_arg_t number, syscall_arg_t a, syscall_arg_t b, syscall_arg_t c,
	syscall_arg_t d, syscall_arg_t e, syscall_arg_t f)
{
	return __syscall(number, a, b, c, d, e, f);
}
