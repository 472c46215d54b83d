/* -1, 0 or 1 as glibc's, not the difference: programs print it. */
#include <wchar.h>

int wmemcmp(const wchar_t *a, const wchar_t *b, size_t n)
{
	for (; n && *a == *b; n--, a++, b++) {}
	return !n ? 0 : *a < *b ? -1 : *a > *b;
}
