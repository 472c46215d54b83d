#include_next <unistd.h>
#if !defined __homi_fortified_unistd && defined __clang__ && !defined __cplusplus && defined _FORTIFY_SOURCE
#if _FORTIFY_SOURCE > 0
#define __homi_fortified_unistd
#include "homi_fortified.h"

extern ssize_t __read_chk(int __descriptor, void *__to, size_t __n, size_t __room);
__homi_fortified ssize_t read(int __descriptor, void *__homi_whole __to, size_t __n)
{
	return __read_chk(__descriptor, __to, __n, __homi_room_of_whole(__to));
}

#if defined __USE_UNIX98 || defined __USE_XOPEN2K8
extern ssize_t __pread_chk(int __descriptor, void *__to, size_t __n, __off_t __at, size_t __room);
__homi_fortified ssize_t pread(int __descriptor, void *__homi_whole __to, size_t __n, __off_t __at)
{
	return __pread_chk(__descriptor, __to, __n, __at, __homi_room_of_whole(__to));
}
#endif

#if defined __USE_XOPEN_EXTENDED || defined __USE_XOPEN2K
extern ssize_t __readlink_chk(const char *__path, char *__to, size_t __n, size_t __room);
__homi_fortified ssize_t readlink(const char *__path, char *__homi_part __to, size_t __n)
{
	return __readlink_chk(__path, __to, __n, __homi_room_of_part(__to));
}
#endif

#endif
#endif
