/* Runs a program on libc.bc directly on the host's kernel, without homi: start-up, system calls, a bump allocator
 * and setjmp, which are the engine's otherwise. Used by scripts/check-libc to compare libc.bc with glibc. */
typedef unsigned long word;

int main(int, char **, char **);
int __homi_start(int (*)(int, char **, char **), int, char **, char **);

__asm__(".globl _start\n_start:\n\txor %ebp,%ebp\n\tmov %rsp,%rdi\n\tand $-16,%rsp\n\tcall homi_native_start\n");

void homi_native_start(word *stack)
{
	int argc = (int)stack[0];
	char **argv = (char **)(stack + 1);
	__homi_start(main, argc, argv, argv + argc + 1);
}

long __homi_syscall(long n, long a, long b, long c, long d, long e, long f)
{
	long result;
	register long r10 __asm__("r10") = d;
	register long r8 __asm__("r8") = e;
	register long r9 __asm__("r9") = f;
	__asm__ volatile("syscall" : "=a"(result) : "a"(n), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
		: "rcx", "r11", "memory");
	return result;
}

typedef void constructor(int, char **, char **);
extern constructor *const __preinit_array_start[], *const __preinit_array_end[];
extern constructor *const __init_array_start[], *const __init_array_end[];
extern void (*const __fini_array_start[])(void), (*const __fini_array_end[])(void);

void __homi_run_constructors(int argc, char **argv, char **envp)
{
	for (constructor *const *f = __preinit_array_start; f < __preinit_array_end; f++) (*f)(argc, argv, envp);
	for (constructor *const *f = __init_array_start; f < __init_array_end; f++) (*f)(argc, argv, envp);
}

void __homi_run_destructors(void)
{
	for (void (*const *f)(void) = __fini_array_end; f > __fini_array_start;) (*--f)();
}

unsigned klee_is_symbolic(word value) { return (void)value, 0; }
__attribute__((weak)) void homi_note_concretized(const char *what) { (void)what; }
/* The kernel's own where there is one in between. */
__attribute__((weak)) void homi_unsupported(const char *what) { (void)what, __builtin_trap(); }
__attribute__((weak)) void klee_report_error(const char *file, int line, const char *message, const char *suffix) { __builtin_trap(); }

/* Blocks are never given back; each is preceded by its size. */
static char arena[256 << 20];
static word used;

void *aligned_alloc(word alignment, word size)
{
	word at = (word)arena + used + 16;
	if (alignment < 16) alignment = 16;
	at = (at + alignment - 1) & -alignment;
	if (at + size > (word)(arena + sizeof arena)) return 0;
	used = at + size - (word)arena;
	((word *)at)[-1] = size;
	return (void *)at;
}

void *malloc(word size) { return aligned_alloc(16, size); }
void *memalign(word alignment, word size) { return aligned_alloc(alignment, size); }
void *calloc(word n, word size) { return size && n > ~0UL / size ? 0 : malloc(n * size); }
void free(void *block) { }
word malloc_usable_size(void *block) { return block ? ((word *)block)[-1] : 0; }

int posix_memalign(void **to, word alignment, word size)
{
	*to = aligned_alloc(alignment, size);
	return *to ? 0 : 12;
}

void *realloc(void *block, word size)
{
	char *to = malloc(size);
	word old = malloc_usable_size(block);
	if (to)
		for (word i = 0; i < old && i < size; i++) to[i] = ((char *)block)[i];
	return to;
}

/* rbx, rbp, r12 to r15, the stack pointer after return and the return address. No signal mask is saved. */
#define SET_JUMP(name) \
	__attribute__((naked)) int name(void *buffer, int saves) \
	{ \
		__asm__("mov %rbx,(%rdi)\n\tmov %rbp,8(%rdi)\n\tmov %r12,16(%rdi)\n\tmov %r13,24(%rdi)\n\tmov %r14,32(%rdi)\n" \
			"\tmov %r15,40(%rdi)\n\tlea 8(%rsp),%rdx\n\tmov %rdx,48(%rdi)\n\tmov (%rsp),%rdx\n\tmov %rdx,56(%rdi)\n" \
			"\txor %eax,%eax\n\tret"); \
	}
#define LONG_JUMP(name) \
	__attribute__((naked)) void name(void *buffer, int value) \
	{ \
		__asm__("mov %esi,%eax\n\ttest %eax,%eax\n\tjnz 1f\n\tinc %eax\n1:\tmov (%rdi),%rbx\n\tmov 8(%rdi),%rbp\n" \
			"\tmov 16(%rdi),%r12\n\tmov 24(%rdi),%r13\n\tmov 32(%rdi),%r14\n\tmov 40(%rdi),%r15\n\tmov 48(%rdi),%rsp\n" \
			"\tjmp *56(%rdi)"); \
	}
SET_JUMP(setjmp)
SET_JUMP(_setjmp)
SET_JUMP(__sigsetjmp)
LONG_JUMP(longjmp)
LONG_JUMP(_longjmp)
LONG_JUMP(siglongjmp)
LONG_JUMP(homi_long_jump)

unsigned long homi_concretize(unsigned long value) { return value; }

#include "../../image/numbers.c"

/* Further functions that the code generator calls. */
extern char memcpy[], memmove[], memset[], memcmp[];
__attribute__((used)) static char *const needed[] = {memcpy, memmove, memset, memcmp};

/* The modeled kernel's, where it is not linked: one thread. */
__attribute__((weak)) void *__homi_thread_pointer;
__attribute__((weak)) long __homi_clone(int (*function)(void *), long flags, void *argument, int *parent, void *pointer, int *clear_at_exit) {
  return -11;
}
__attribute__((weak)) long __homi_interrupt_thread(long number, void (*when_it_runs)(void)) { return -3; }
