/* -1, 0 or 1 as glibc's, not the difference: programs print it. */
#include <wchar.h>

int wcscmp(const wchar_t *a, const wchar_t *b)
{
	for (; *a == *b && *a; a++, b++) {}
	return *a < *b ? -1 : *a > *b;
}
