/* Shared objects are linked before the program starts, so dl_iterate_phdr visits none. The C library is there as a whole, by
 * any of its file names. dlsym finds what homi has put into a table when it linked the program (src/llvm/link/named.rs); another
 * name is an unsupported feature, as is dlopen of another existing file. dlopen of a missing file fails as natively. */
#include <ctype.h>
#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct dl_phdr_info;

_Noreturn void homi_unsupported(const char *what);
void __dl_seterr(const char *format, ...);

int dl_iterate_phdr(int (*visit)(struct dl_phdr_info *, size_t, void *), void *argument)
{
	return 0;
}

static _Noreturn void end_of_path(const char *what, const char *name)
{
	char text[300];
	snprintf(text, sizeof text, "%s of %s", what, name);
	homi_unsupported(text);
}

/* Returns 1 if one of these folders, separated by colons, has the file. */
static int is_in(const char *folders, const char *file)
{
	char path[PATH_MAX];
	while (folders) {
		size_t length = strcspn(folders, ":");
		snprintf(path, sizeof path, "%.*s/%s", (int)length, folders, file);
		if (!access(path, F_OK)) return 1;
		folders = folders[length] ? folders + length + 1 : 0;
	}
	return 0;
}

static int exists(const char *file)
{
	static const char usual[] = "/lib/x86_64-linux-gnu:/usr/lib/x86_64-linux-gnu:/lib:/usr/lib:/lib64";
	if (strchr(file, '/')) return !access(file, F_OK);
	return is_in(getenv("LD_LIBRARY_PATH"), file) || is_in(usual, file);
}

static int is_c_library(const char *file)
{
	static const char *const names[] = {"libc.so.6", "libm.so.6", "libdl.so.2", "libpthread.so.0", "librt.so.1"};
	const char *last = strrchr(file, '/');
	last = last ? last + 1 : file;
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (!strcmp(last, names[i])) return 1;
	return 0;
}

/* Handles of the program and of the C library. */
#define PROGRAM ((void *)&__dl_seterr)
#define LIBRARY ((void *)&dl_iterate_phdr)

void *dlopen(const char *file, int mode)
{
	if (!file) return PROGRAM;
	if (is_c_library(file)) return LIBRARY;
	if (exists(file)) end_of_path("dlopen", file);
	__dl_seterr("%s: cannot open shared object file: No such file or directory", file);
	return 0;
}

/* Names and addresses by turns, then null. */
const void *const *volatile __homi_names;

/* A name that is no identifier is not found. */
void *__dlsym(void *restrict handle, const char *restrict name, void *restrict caller)
{
	size_t length = 0;
	while (isalnum((unsigned char)name[length]) || (name[length] && strchr("_.$", name[length]))) length++;
	for (const void *const *row = __homi_names; row && *row; row += 2)
		if (!strcmp(name, *row)) return (void *)row[1];
	if (length && !name[length]) end_of_path("dlsym", name);
	__dl_seterr("undefined symbol: %s", name);
	return 0;
}

int __dl_invalid_handle(void *handle)
{
	if (handle == PROGRAM || handle == LIBRARY) return 0;
	__dl_seterr("invalid handle %p", handle);
	return 1;
}
