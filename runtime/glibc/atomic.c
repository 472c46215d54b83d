/* libatomic: what compilers call for atomic objects of a size that no instruction changes at once. Threads switch at
 * synchronisation points only, so a plain copy is one step. The labels keep compilers from taking these for their builtins. */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define NAMED(result, name, ...) result homi_##name(__VA_ARGS__) __asm__("__atomic_" #name); result homi_##name(__VA_ARGS__)

NAMED(void, load, size_t size, const void *from, void *to, int order) { memcpy(to, from, size); }
NAMED(void, store, size_t size, void *to, const void *from, int order) { memcpy(to, from, size); }

NAMED(void, exchange, size_t size, void *object, const void *value, void *old, int order)
{
	/* The three may be the same object. */
	for (size_t i = 0; i < size; i++) {
		unsigned char byte = ((unsigned char *)object)[i];
		((unsigned char *)object)[i] = ((const unsigned char *)value)[i];
		((unsigned char *)old)[i] = byte;
	}
}

NAMED(_Bool, compare_exchange, size_t size, void *object, void *expected, const void *value, int success, int failure)
{
	if (memcmp(object, expected, size) == 0) {
		memcpy(object, value, size);
		return 1;
	}
	memcpy(expected, object, size);
	return 0;
}

/* True if an object lies in one aligned word of at most eight bytes. */
NAMED(_Bool, is_lock_free, size_t size, const void *object)
{
	for (size_t word = 1; word <= 8; word *= 2)
		if (size <= word) return ((uintptr_t)object & (word - 1)) + size <= word;
	return 0;
}

#ifdef __SIZEOF_INT128__
typedef unsigned __int128 wide;

NAMED(wide, load_16, const wide *object, int order) { return *object; }
NAMED(void, store_16, wide *object, wide value, int order) { *object = value; }

NAMED(_Bool, compare_exchange_16, wide *object, wide *expected, wide value, int success, int failure)
{
	wide old = *object;
	if (old == *expected) {
		*object = value;
		return 1;
	}
	*expected = old;
	return 0;
}

#define CHANGE(name, result) NAMED(wide, name##_16, wide *object, wide value, int order) { wide old = *object; *object = result; return old; }
CHANGE(exchange, value)
CHANGE(fetch_add, old + value)
CHANGE(fetch_sub, old - value)
CHANGE(fetch_and, old & value)
CHANGE(fetch_or, old | value)
CHANGE(fetch_xor, old ^ value)
CHANGE(fetch_nand, ~(old & value))
#endif
