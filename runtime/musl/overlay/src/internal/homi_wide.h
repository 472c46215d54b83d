/* In the C locale only ASCII has a class, as in glibc. The answers are computed without branches, because a
 * branch on a symbolic character is a fork; musl's own tables serve the other locales. */
#include <ctype.h>
#include "locale_impl.h"

#define HOMI_IN_C_LOCALE(wc, narrow) \
	if (MB_CUR_MAX == 1) return ((unsigned)(wc) < 128) & !!(narrow);

/* 1 for printable, 0 for NUL, -1 for the rest. */
#define HOMI_WIDTH_IN_C_LOCALE(wc) \
	if (MB_CUR_MAX == 1) return 2 * ((unsigned)(wc) - 0x20 < 0x5f) + !(wc) - 1;

/* Only ASCII letters have another case; a narrow function returns other characters as they are. */
#define HOMI_CASE_IN_C_LOCALE(wc, narrow) \
	if (MB_CUR_MAX == 1) return narrow(wc);
