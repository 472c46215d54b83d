/* musl's internal names of the allocator, which is the executor's: malloc, calloc, realloc, free and the
 * aligned family have no body in libc.bc. */
#include <stdlib.h>

void *__libc_malloc(size_t size) { return malloc(size); }
void *__libc_calloc(size_t count, size_t size) { return calloc(count, size); }
void *__libc_realloc(void *block, size_t size) { return realloc(block, size); }
void __libc_free(void *block) { free(block); }

void *valloc(size_t size) { return aligned_alloc(4096, size); }
void *pvalloc(size_t size) { return aligned_alloc(4096, (size + 4095) & -4096UL); }
void cfree(void *block) { free(block); }
