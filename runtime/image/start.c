/* Start of an image: a first process that makes processes, each of which executes inputs until one ends it. A process
 * for inputs may only read REQUESTS, write REPLIES, give back memory and exit (seccomp). */
#include "image.h"

#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>

enum { READ = 0, WRITE = 1, MMAP = 9, MUNMAP = 11, MADVISE = 28, GETPID = 39, FORK = 57, EXIT = 60, WAIT4 = 61, FTRUNCATE = 77,
       PRCTL = 157, SETRLIMIT = 160, EXIT_GROUP = 231, MEMFD_CREATE = 319 };
enum { PROT_READ_WRITE = 3, MAP_SHARED = 1, MAP_PRIVATE = 2, MAP_FIXED = 16, MAP_ANONYMOUS = 32, MAP_NORESERVE = 0x4000 };
enum { DONT_NEED = 4, SET_DEATH_SIGNAL = 1, SET_SECCOMP = 22, SECCOMP_FILTER = 2, NO_NEW_PRIVILEGES = 38, SIGKILL_NUMBER = 9 };
enum { LIMIT_CORE = 4, LIMIT_SPACE = 9 };

/* Bytes of the program's call stack, as of a process of Linux; the process's own stack is for this file. */
enum { STACK = 8 << 20, PAGE = 4096 };
/* Most bytes of variables that are copied back after each input; of more, only written pages are restored. */
enum { COPIED = 1 << 20 };

/* Defined by the instrumented program: a byte for each branch side, in whole pages, and how many. */
extern unsigned char homi_image_sides[];
extern const uint64_t homi_image_side_count;

/* The units of work left. The program takes one for each call and each round of a loop. */
int64_t homi_image_work;

int main(int, char **, char **);
int __homi_entry(int (*)(int, char **, char **), int, char **, char **);
int homi_image_set_mark(void) __attribute__((returns_twice));

struct shared *const homi_shared = (struct shared *)0x200000000000;

static char *const stack = (char *)0x210000000000;
static char *const kept = (char *)0x220000000000; /* the variables before the first input */

static char **arguments; /* of the process; a null is behind them, then comes the environment */
static char *first, *sides, *behind_sides, *last; /* the variables: first to sides, behind_sides to last */
static int is_mapped; /* the variables are a private mapping of a file */

long image_syscall(long n, long a, long b, long c, long d, long e, long f) {
  long result;
  register long r10 __asm__("r10") = d;
  register long r8 __asm__("r8") = e;
  register long r9 __asm__("r9") = f;
  __asm__ volatile("syscall" : "=a"(result) : "a"(n), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9) : "rcx", "r11", "memory");
  return result;
}

static long call(long n, long a, long b, long c) { return image_syscall(n, a, b, c, 0, 0, 0); }

static void leave(int status) {
  for (;;) call(EXIT_GROUP, status, 0, 0);
}

void image_copy(void *to, const void *from, size_t n) {
  __asm__ volatile("rep movsb" : "+D"(to), "+S"(from), "+c"(n) : : "memory");
}

void image_clear(void *to, size_t n) {
  __asm__ volatile("rep stosb" : "+D"(to), "+c"(n) : "a"(0) : "memory");
}

static void map(void *at, unsigned long n, int flags, long file, unsigned long offset) {
  long result = image_syscall(MMAP, (long)at, (long)n, PROT_READ_WRITE, flags | MAP_FIXED, file, (long)offset);
  if (result != (long)at) leave(120);
}

/* ---- one input ---- */

/* Where the end of an execution returns to: the registers that calls keep, the stack and the place. */
void *homi_image_mark[8];

/* 0, and 1 when an execution has ended. */
__attribute__((naked, noinline)) int homi_image_set_mark(void) {
  __asm__("mov %rbx,homi_image_mark\n\tmov %rbp,homi_image_mark+8\n\tmov %r12,homi_image_mark+16\n\tmov %r13,homi_image_mark+24\n"
          "\tmov %r14,homi_image_mark+32\n\tmov %r15,homi_image_mark+40\n\tlea 8(%rsp),%rdx\n\tmov %rdx,homi_image_mark+48\n"
          "\tmov (%rsp),%rdx\n\tmov %rdx,homi_image_mark+56\n\txor %eax,%eax\n\tret");
}

__attribute__((naked, noreturn, noinline)) void homi_image_return(void) {
  __asm__("mov homi_image_mark,%rbx\n\tmov homi_image_mark+8,%rbp\n\tmov homi_image_mark+16,%r12\n\tmov homi_image_mark+24,%r13\n"
          "\tmov homi_image_mark+32,%r14\n\tmov homi_image_mark+40,%r15\n\tmov homi_image_mark+48,%rsp\n\tmov $1,%eax\n"
          "\tjmp *homi_image_mark+56");
}

__attribute__((naked, noreturn, noinline)) void image_run_on(void *top, void (*function)(void)) {
  __asm__("mov %rdi,%rsp\n\txor %ebp,%ebp\n\tand $-16,%rsp\n\tcall *%rsi\n\tud2");
}

void image_end(enum end end, int status, const char *what) {
  unsigned i = 0;
  homi_shared->ended = end;
  homi_shared->status = status;
  homi_shared->work = homi_image_work;
  while (what && what[i] && i < sizeof homi_shared->what - 1) homi_shared->what[i] = what[i], i++;
  homi_shared->what[i] = 0;
  homi_image_return();
}

/* Called where no work is left. */
int homi_image_end_of_work(void) { image_end(END_HUNG, 0, 0); }

void *homi_malloc(uint64_t n);

/* A copy of a list of strings, which the program may change, and a null. */
static char **copied(char **list, int *count) {
  int n = 0, i;
  char **copy;
  while (list[n]) n++;
  copy = homi_malloc((unsigned long)(n + 1) * sizeof *copy);
  for (i = 0; i < n; i++) {
    unsigned long size = 1;
    while (list[i][size - 1]) size++;
    copy[i] = homi_malloc(size);
    image_copy(copy[i], list[i], size);
  }
  copy[n] = 0;
  *count = n;
  return copy;
}

/* The arguments in the shared memory, which the program may change, and a null. */
static char **given(int *count) {
  uint32_t size = homi_shared->arguments_size < ARGUMENTS_SIZE ? homi_shared->arguments_size : ARGUMENTS_SIZE, at;
  char *words = homi_malloc(size + 1), **list;
  int n = 0;
  image_copy(words, homi_shared->arguments, size);
  words[size] = 0;
  for (at = 0; at < size; at++) n += words[at] == 0;
  list = homi_malloc((unsigned long)(n + 1) * sizeof *list);
  *count = n;
  list[n] = 0;
  for (at = 0, n = 0; n < *count; n++) {
    list[n] = words + at;
    while (words[at++]) {}
  }
  return list;
}

static void begin(void) {
  int count, argc;
  char **argv = given(&argc), **envp = arguments;
  int (*entry)(int, char **, char **) = (int (*)(int, char **, char **))homi_image_copy_of((void *)main);
  while (*envp) envp++;
  envp = copied(envp + 1, &count);
  image_end(END_EXIT, __homi_entry(entry, argc, argv, envp), 0);
}

/* Variables, blocks and the call stack are as before the first input. */
static void restore(void) {
  enum { GAP = 16 };
  char *page = stack + STACK - PAGE;
  int clean;
  for (clean = 0; clean < GAP && page >= stack; page -= PAGE) {
    const unsigned long *word = (unsigned long *)page, *end = word + PAGE / sizeof *word;
    while (word < end && !*word) word++;
    clean = word < end ? 0 : clean + 1;
    if (!clean) image_clear(page, PAGE);
  }
  image_forget_blocks();
  if (is_mapped) {
    call(MADVISE, (long)first, sides - first, DONT_NEED);
    call(MADVISE, (long)behind_sides, last - behind_sides, DONT_NEED);
  } else {
    image_copy(first, kept, (unsigned long)(sides - first));
    image_copy(behind_sides, kept + (behind_sides - first), (unsigned long)(last - behind_sides));
  }
}

static void execute(int records) {
  image_clear(homi_image_sides, homi_image_side_count);
  homi_shared->ended = END_NONE;
  homi_shared->unknown = 0;
  if (!homi_image_set_mark()) {
    homi_image_work = homi_shared->work;
    if (records) image_record();
    image_run_on(stack + STACK, begin);
  }
}

/* ---- the processes ---- */

#define ALLOW(number) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, number, 0, 1), BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)
#define ALLOW_ON(number, descriptor) \
  BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, number, 0, 4), BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[0])), \
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, descriptor, 0, 1), BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW), \
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS)

static void confine(void) {
  static const struct sock_filter filter[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, arch)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, AUDIT_ARCH_X86_64, 1, 0),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
      ALLOW(EXIT_GROUP),
      ALLOW(MADVISE),
      ALLOW_ON(READ, REQUESTS),
      ALLOW_ON(WRITE, REPLIES),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
  };
  static const struct sock_fprog program = {sizeof filter / sizeof *filter, (struct sock_filter *)filter};
  if (call(PRCTL, NO_NEW_PRIVILEGES, 1, 0) < 0) leave(121);
  if (call(PRCTL, SET_SECCOMP, SECCOMP_FILTER, (long)&program) < 0) leave(122);
}

static void reply(char kind, int number) {
  char text[5] = {kind};
  image_copy(text + 1, &number, 4);
  call(WRITE, REPLIES, (long)text, 5);
}

static void serve(void) {
  char request;
  call(PRCTL, SET_DEATH_SIGNAL, SIGKILL_NUMBER, 0);
  confine();
  while (call(READ, REQUESTS, (long)&request, 1) == 1) {
    if (request != 'x' && request != 'c') continue;
    execute(request == 'c');
    restore();
    reply('e', 0);
  }
  leave(0);
}

static void make_processes(void) {
  char request;
  while (call(READ, REQUESTS, (long)&request, 1) == 1) {
    int status = 0;
    long child;
    if (request != '+') continue;
    child = call(FORK, 0, 0, 0);
    if (child == 0) {
      reply('+', (int)call(GETPID, 0, 0, 0));
      serve();
    }
    if (child < 0) leave(123);
    image_syscall(WAIT4, child, (long)&status, 0, 0, 0, 0);
    reply('-', status);
  }
  leave(0);
}

/* ---- set-up ---- */

extern const char __ehdr_start[];

/* The variables: the image's one writable segment, whole pages. */
static void find_variables(void) {
  const char *header = __ehdr_start + *(const unsigned long *)(__ehdr_start + 32);
  int count = *(const unsigned short *)(__ehdr_start + 56), i;
  for (i = 0; i < count; i++, header += 56) {
    unsigned type = *(const unsigned *)header, flags = *(const unsigned *)(header + 4);
    unsigned long address = *(const unsigned long *)(header + 16), size = *(const unsigned long *)(header + 40);
    if (type != 1 || !(flags & 2)) continue;
    first = (char *)(address & ~(PAGE - 1ul));
    last = (char *)((address + size + PAGE - 1) & ~(PAGE - 1ul));
  }
  sides = (char *)homi_image_sides;
  behind_sides = sides + ((homi_image_side_count + PAGE - 1) & ~(PAGE - 1ul));
}

static void limit(int which, unsigned long most) {
  unsigned long limits[2] = {most, most};
  call(SETRLIMIT, which, (long)limits, 0);
}

/* Keeps the variables, in memory or in a file of which they become a private mapping. */
static void keep_variables(void) {
  unsigned long size = (unsigned long)(last - first);
  long file;
  is_mapped = size > COPIED;
  if (!is_mapped) {
    map(kept, size, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    image_copy(kept, first, size);
    return;
  }
  file = call(MEMFD_CREATE, (long)"variables", 0, 0);
  if (file < 0 || call(FTRUNCATE, file, (long)size, 0) < 0) leave(124);
  map(kept, size, MAP_SHARED, file, 0);
  image_copy(kept, first, size);
  map(first, (unsigned long)(sides - first), MAP_PRIVATE, file, 0);
  map(behind_sides, (unsigned long)(last - behind_sides), MAP_PRIVATE, file, (unsigned long)(behind_sides - first));
  call(MUNMAP, (long)kept, (long)size, 0);
}

void homi_image_set_up(unsigned long *words) {
  unsigned long shared = (sizeof(struct shared) + PAGE - 1) & ~(PAGE - 1ul);
  arguments = (char **)(words + 1);
  call(PRCTL, SET_DEATH_SIGNAL, SIGKILL_NUMBER, 0);
  limit(LIMIT_CORE, 0);
  find_variables();
  map(homi_shared, shared, MAP_SHARED, SHARED_FILE, 0);
  map(homi_image_sides, (unsigned long)(behind_sides - sides), MAP_SHARED, SHARED_FILE, shared);
  /* A homi that asks for no comparisons has a file without room for them; the mapping is not touched then. */
  map(COMPARISONS, (sizeof(struct comparisons) + PAGE - 1) & ~(PAGE - 1ul), MAP_SHARED, SHARED_FILE,
      shared + (unsigned long)(behind_sides - sides));
  map(stack, STACK, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  image_forget_blocks();
  keep_variables();
  make_processes();
}

__asm__(".globl _start\n_start:\n\txor %ebp,%ebp\n\tmov %rsp,%rdi\n\tand $-16,%rsp\n\tcall homi_image_set_up\n\tud2\n");
