/* There is no name service daemon in the modeled world: every question to it is answered with "not found"
 * on a stream that the caller may close, and errno stays as it was. */
#include <stdio.h>
#include <string.h>
#include "../nscd.h"

FILE *__nscd_query(int32_t request, const char *key, int32_t *answer, size_t size, int *swap)
{
	static char nothing[1];
	*swap = 0;
	memset(answer, 0, size);
	answer[0] = NSCDVERSION;
	return fmemopen(nothing, sizeof nothing, "r");
}
