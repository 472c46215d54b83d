/* One byte at a time: the executor has its own memset; this one is for calls through a function pointer. */
#include <string.h>

void *memset(void *destination, int value, size_t count)
{
	unsigned char *p = destination;
	for (; count; count--) *p++ = value;
	return destination;
}
