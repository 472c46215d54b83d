/* memset that no optimiser may drop: the volatile stores are all of it. */
#define _BSD_SOURCE
#include <string.h>

void explicit_bzero(void *destination, size_t count)
{
	volatile unsigned char *p = destination;
	while (count--) *p++ = 0;
}
