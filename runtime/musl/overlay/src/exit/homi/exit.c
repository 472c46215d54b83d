/* End of a program: handlers in reverse order of registration, then the destructors that the engine's
 * linker lists, then open streams. The status is kept for on_exit's handlers (runtime/glibc/exit.c); where no
 * handler is registered it is not, because every path ends here and a write copies nodes of memory. */
#include <stdlib.h>
#include "libc.h"

void __homi_run_destructors(void);
hidden void __stdio_exit(void);
hidden int __homi_has_handlers(void); /* atexit.c, by streams.patch */

int __homi_exit_status;

_Noreturn void exit(int status)
{
	if (__homi_has_handlers()) {
		__homi_exit_status = status;
		__funcs_on_exit();
	}
	__homi_run_destructors();
	__stdio_exit();
	_Exit(status);
}
