/* Shared objects are linked before the program starts, so there is nothing to iterate over, and what a program loads while
 * it runs cannot be followed: the path ends and names it. A file that is not there fails as natively. */
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

struct dl_phdr_info;

_Noreturn void homi_gap(const char *what);
void __dl_seterr(const char *format, ...);

int dl_iterate_phdr(int (*visit)(struct dl_phdr_info *, size_t, void *), void *argument)
{
	return 0;
}

static _Noreturn void end_of_path(const char *what, const char *name)
{
	char text[300];
	snprintf(text, sizeof text, "%s of %s", what, name);
	homi_gap(text);
}

void *dlopen(const char *file, int mode)
{
	if (!file) return (void *)&__dl_seterr; /* the program itself, of which nothing is found without a gap */
	if (strchr(file, '/') && access(file, F_OK)) {
		__dl_seterr("%s: cannot open shared object file: No such file or directory", file);
		return 0;
	}
	end_of_path("dlopen", file);
}

void *__dlsym(void *restrict handle, const char *restrict name, void *restrict caller)
{
	end_of_path("dlsym", name);
}

int __dl_invalid_handle(void *handle)
{
	if (handle == (void *)&__dl_seterr) return 0;
	__dl_seterr("invalid handle %p", handle);
	return 1;
}
