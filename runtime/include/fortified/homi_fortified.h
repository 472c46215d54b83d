/* What the fortified headers share. A function with an argument whose object the compiler knows at the call is a second
 * one of its name (clang's overloads), so that the name stays usable as a member, and its address is the library's. */
#ifndef HOMI_FORTIFIED_H
#define HOMI_FORTIFIED_H

#define __homi_fortified static __inline__ __attribute__((overloadable, always_inline, unused, nodebug))
/* The whole object, and the part of it that a text may fill. */
#define __homi_whole const __attribute__((pass_object_size(0)))
#define __homi_part const __attribute__((pass_object_size(_FORTIFY_SOURCE > 1)))
#define __homi_room_of_whole(p) __builtin_object_size(p, 0)
#define __homi_room_of_part(p) __builtin_object_size(p, _FORTIFY_SOURCE > 1)

#endif
