/* End of a program: handlers in reverse order of registration, then the destructors that the engine's
 * linker lists, then open streams. The status is kept for on_exit's handlers (runtime/glibc/exit.c). */
#include <stdlib.h>
#include "libc.h"

void __homi_run_destructors(void);
hidden void __stdio_exit(void);

int __homi_exit_status;

_Noreturn void exit(int status)
{
	__homi_exit_status = status;
	__funcs_on_exit();
	__homi_run_destructors();
	__stdio_exit();
	_Exit(status);
}
