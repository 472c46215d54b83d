#include_next <string.h>
#if !defined __homi_fortified_string && defined __clang__ && !defined __cplusplus && defined _FORTIFY_SOURCE
#if _FORTIFY_SOURCE > 0
#define __homi_fortified_string
#include "homi_fortified.h"

#define __HOMI_BYTES(name, type) \
	__homi_fortified void *name(void *__homi_whole __to, type __from, size_t __n) \
	{ \
		return __builtin___##name##_chk(__to, __from, __n, __homi_room_of_whole(__to)); \
	}
__HOMI_BYTES(memcpy, const void *)
__HOMI_BYTES(memmove, const void *)
__HOMI_BYTES(memset, int)
#ifdef __USE_GNU
__HOMI_BYTES(mempcpy, const void *)
#endif

#define __HOMI_TEXT(name) \
	__homi_fortified char *name(char *__homi_part __to, const char *__from) \
	{ \
		return __builtin___##name##_chk(__to, __from, __homi_room_of_part(__to)); \
	}
#define __HOMI_PART_OF_TEXT(name) \
	__homi_fortified char *name(char *__homi_part __to, const char *__from, size_t __n) \
	{ \
		return __builtin___##name##_chk(__to, __from, __n, __homi_room_of_part(__to)); \
	}
__HOMI_TEXT(strcpy)
__HOMI_TEXT(strcat)
__HOMI_PART_OF_TEXT(strncpy)
__HOMI_PART_OF_TEXT(strncat)
#ifdef __USE_XOPEN2K8
__HOMI_TEXT(stpcpy)
__HOMI_PART_OF_TEXT(stpncpy)
#endif

#endif
#endif
