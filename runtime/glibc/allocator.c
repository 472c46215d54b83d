/* The executor implements the allocator. The bodies of the malloc family here run only if it has no memory: they set
 * errno. They are weak, so that no pass assumes that they always fail. Below are musl's internal names. */
#include <errno.h>
#include <malloc.h>
#include <stdlib.h>

#define FAILS __attribute__((__weak__, __noinline__))

static void *fail(int error)
{
	errno = error;
	return 0;
}

FAILS void *malloc(size_t size) { return fail(ENOMEM); }
FAILS void *calloc(size_t count, size_t size) { return fail(ENOMEM); }
FAILS void *realloc(void *block, size_t size) { return fail(ENOMEM); }
FAILS void *memalign(size_t align, size_t size) { return fail(align > (size_t)-1 / 2 + 1 ? EINVAL : ENOMEM); }
FAILS void *aligned_alloc(size_t align, size_t size) { return memalign(align, size); }

void *__libc_malloc(size_t size) { return malloc(size); }
void *__libc_calloc(size_t count, size_t size) { return calloc(count, size); }
void *__libc_realloc(void *block, size_t size) { return realloc(block, size); }
void __libc_free(void *block) { free(block); }

void *valloc(size_t size) { return aligned_alloc(4096, size); }
void *pvalloc(size_t size) { return aligned_alloc(4096, (size + 4095) & -4096UL); }
void cfree(void *block) { free(block); }
