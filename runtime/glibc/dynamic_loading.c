/* There are no shared objects: nothing to iterate over. (dlopen and dlsym fail, as in a static musl program.) */
#include <stddef.h>

struct dl_phdr_info;

int dl_iterate_phdr(int (*visit)(struct dl_phdr_info *, size_t, void *), void *argument)
{
	return 0;
}
