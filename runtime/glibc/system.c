/* Queries of programs about the library and the machine. The version belongs to the headers that programs are compiled
 * with on Debian 12. */
#include <errno.h>
#include <regex.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "syscall.h"

const char *gnu_get_libc_version(void) { return "2.36"; }
const char *gnu_get_libc_release(void) { return "stable"; }

/* 1 for yes, 0 for no, -1 for neither, by the first letter, as in the C locale. */
int rpmatch(const char *answer)
{
	int letter = *answer | 32;
	return letter == 'y' ? 1 : letter == 'n' ? 0 : -1;
}

int group_member(gid_t group)
{
	gid_t groups[64];
	int count = getgroups(64, groups);
	for (int i = 0; i < count; i++)
		if (groups[i] == group) return 1;
	return 0;
}

int tgkill(int group, int thread, int signal) { return syscall(SYS_tgkill, group, thread, signal); }
int getcpu(unsigned *cpu, unsigned *node)
{
	if (cpu) *cpu = 0;
	if (node) *node = 0;
	return 0;
}

/* No frames can be walked by the program itself; an empty trace is a valid answer. */
int backtrace(void **frames, int size) { return 0; }
char **backtrace_symbols(void *const *frames, int size) { return malloc(1); }
void backtrace_symbols_fd(void *const *frames, int size, int fd) { }

/* The allocator is the executor's and keeps no statistics. */
struct mallinfo { int fields[10]; };
struct mallinfo2 { size_t fields[10]; };
struct mallinfo mallinfo(void) { return (struct mallinfo){{0}}; }
struct mallinfo2 mallinfo2(void) { return (struct mallinfo2){{0}}; }
int mallopt(int parameter, int value) { return 1; }
int malloc_trim(size_t keep) { return 0; }
void malloc_stats(void) { }
void mtrace(void) { }
void muntrace(void) { }
int mcheck(void (*report)(int)) { return 0; }

void homi_note_concretized(const char *);
unsigned klee_is_symbolic(unsigned long);

/* Tells what a run does not know of a command. A text that is symbolic is cut off: no path may depend on what is reported. */
void __homi_note_command(const char *what, const char *command)
{
	char text[160];
	size_t n = strlen(strcpy(text, what));
	while (n < sizeof text - 1 && !klee_is_symbolic(*command) && *command) text[n++] = *command++;
	text[n] = 0;
	homi_note_concretized(text);
}

/* BSD's signal masks as one word. */
static int change_mask(int how, int mask)
{
	sigset_t new = {{mask}}, old;
	sigprocmask(how, &new, &old);
	return (int)old.__bits[0];
}
int sigblock(int mask) { return change_mask(SIG_BLOCK, mask); }
int sigsetmask(int mask) { return change_mask(SIG_SETMASK, mask); }
int siggetmask(void) { return change_mask(SIG_BLOCK, 0); }
