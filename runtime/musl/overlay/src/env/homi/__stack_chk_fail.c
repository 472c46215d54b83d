/* Programs compiled with -fstack-protector. The canary is a constant: the engine sees every out-of-bounds
 * write itself, and an address as canary would make runs differ. */
#include <stdio.h>
#include <stdlib.h>
#include "pthread_impl.h"

uintptr_t __stack_chk_guard = 0x5ca1ab1e00c0ffee;

void __init_ssp(void *unused_entropy)
{
	__pthread_self()->canary = __stack_chk_guard;
}

void __stack_chk_fail(void)
{
	fputs("*** stack smashing detected ***: terminated\n", stderr);
	abort();
}

hidden void __stack_chk_fail_local(void);
weak_alias(__stack_chk_fail, __stack_chk_fail_local);
