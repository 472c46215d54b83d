#include_next <stdio.h>
#if !defined __homi_fortified_stdio && defined __clang__ && !defined __cplusplus && defined _FORTIFY_SOURCE
#if _FORTIFY_SOURCE > 0
#define __homi_fortified_stdio
#include "homi_fortified.h"

/* Macros, as glibc's where no inline function can hand arguments on. */
#undef sprintf
#define sprintf(to, ...) __builtin___sprintf_chk(to, 0, __homi_room_of_part(to), __VA_ARGS__)
#ifdef __USE_ISOC99
#undef snprintf
#define snprintf(to, n, ...) __builtin___snprintf_chk(to, n, 0, __homi_room_of_part(to), __VA_ARGS__)
#endif

__homi_fortified int vsprintf(char *__homi_part __to, const char *__format, __builtin_va_list __arguments)
{
	return __builtin___vsprintf_chk(__to, 0, __homi_room_of_part(__to), __format, __arguments);
}
#ifdef __USE_ISOC99
__homi_fortified int vsnprintf(char *__homi_part __to, size_t __n, const char *__format, __builtin_va_list __arguments)
{
	return __builtin___vsnprintf_chk(__to, __n, 0, __homi_room_of_part(__to), __format, __arguments);
}
#endif

#endif
#endif
