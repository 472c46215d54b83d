/* Tests of strings try each version that glibc has of a function; here is one, the function itself. */
struct libc_ifunc_impl {
	const char *name;
	void (*fn)(void);
	_Bool usable;
};

static inline size_t __libc_ifunc_impl_list(const char *name, struct libc_ifunc_impl *versions, size_t most)
{
	return 0;
}
