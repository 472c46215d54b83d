/* Substring search as plain loops: the two-way algorithm's tables and jumps fork without end on symbolic text.
 * Also the searching functions of glibc that musl lacks. */
#include <string.h>

void *memmem(const void *haystack, size_t haystack_size, const void *needle, size_t needle_size)
{
	const unsigned char *start = haystack;
	if (needle_size > haystack_size) return 0;
	for (size_t at = 0; at <= haystack_size - needle_size; at++)
		if (!memcmp(start + at, needle, needle_size)) return (void *)(start + at);
	return 0;
}

char *strstr(const char *haystack, const char *needle)
{
	if (!*needle) return (char *)haystack;
	for (; *haystack; haystack++) {
		const char *h = haystack, *n = needle;
		while (*n && *h == *n) h++, n++;
		if (!*n) return (char *)haystack;
		/* The rest is shorter than the needle. */
		if (!*h) return 0;
	}
	return 0;
}

void *rawmemchr(const void *memory, int value)
{
	const unsigned char *p = memory;
	while (*p != (unsigned char)value) p++;
	return (void *)p;
}

void *__rawmemchr(const void *memory, int value)
{
	return rawmemchr(memory, value);
}
