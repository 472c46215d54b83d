/* Start of a program on the modeled kernel. There is no ELF image and no stack that the
 * kernel laid out: the engine calls __homi_start with argv and envp that it made. */
#include <elf.h>
#include <stdlib.h>
#include <unistd.h>
#include "libc.h"
#include "pthread_impl.h"

/* Provided by the engine: it calls what .preinit_array, llvm.global_ctors and .init_array list, in order, with these
 * arguments, as glibc's loader does. */
void __homi_run_constructors(int argc, char **argv, char **envp);
hidden int __homi_has_handlers(void); /* atexit.c, by streams.patch */
hidden void __stdio_exit(void);

/* The auxiliary vector of getauxval, which a kernel would pass. */
static const char random_bytes[16] = "homi's own bytes";
static size_t auxiliary_vector[] = {AT_PAGESZ, 4096, AT_CLKTCK, 100, AT_RANDOM, (size_t)random_bytes, 0, 0};

void __init_libc(char **envp, char *program_name)
{
	__environ = envp;
	libc.auxv = auxiliary_vector;
	libc.page_size = 4096;

	char *last_component = program_name;
	for (char *p = program_name; *p; p++)
		if (*p == '/') last_component = p + 1;
	__progname_full = program_name;
	__progname = last_component;

	__init_tls(auxiliary_vector);
}

int __homi_start(int (*main)(int, char **, char **), int argc, char **argv, char **envp)
{
	static char no_name[1];
	__init_libc(envp, argc > 0 && argv[0] ? argv[0] : no_name);
	/* Nothing to flush yet: this only reads what the end of every path reads, so that forks inherit an access cache
	 * that has it. */
	__homi_has_handlers();
	__stdio_exit();
	__homi_run_constructors(argc, argv, __environ);
	exit(main(argc, argv, __environ));
}

/* Entry for programs that were linked with an ordinary crt1.o, which calls it. */
int __libc_start_main(int (*main)(int, char **, char **), int argc, char **argv,
	void (*unused_init)(void), void (*unused_fini)(void), void (*unused_ldso_fini)(void))
{
	return __homi_start(main, argc, argv, argv + argc + 1);
}
