/* Records which library functions a native program calls, and what they give: an audit library of the dynamic
 * loader (LD_AUDIT), which `homi replay` loads to find the call at which the program and homi part.
 *
 * The loader asks where a call of the executable goes, and gets an entry of this object, which records and goes
 * on; it also puts its own return address in place of the caller's. So only calls through the procedure linkage
 * table are seen, of these only calls of the first thread, and none that a library function makes through a
 * callback.
 *
 * Records are in a file that replay makes and that is mapped here, so a recorded call needs no file of the
 * program's, and what was recorded outlives a crash. The object uses no library: a second C library beside the
 * program's would make system calls of its own.
 *
 * Environment: HOMI_CALLS (the file). */
#define _GNU_SOURCE
#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#include "library_calls.h"

#define EXPORTED __attribute__((visibility("default")))

static struct call *calls;
static uint64_t call_count;
static uint64_t first_thread;
/* The functions that the executable calls, by the number of their entry. */
static struct { const char *name; uintptr_t address; } functions[MOST_FUNCTIONS];
static uint32_t function_count;
/* Assembly below. */
extern const char homi_entries[], homi_call_returns[];
/* The recorded call that has not returned; null: none. */
static struct call *open_call;

static long raw(long number, long a, long b, long c, long d, long e, long f) {
  register long r10 __asm__("r10") = d;
  register long r8 __asm__("r8") = e;
  register long r9 __asm__("r9") = f;
  long result;
  __asm__ volatile("syscall"
                   : "=a"(result)
                   : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
                   : "rcx", "r11", "memory");
  return result;
}

static uint64_t this_thread(void) {
  uint64_t thread;
  __asm__("mov %%fs:0, %0" : "=r"(thread));
  return thread;
}

static int begins(const char *text, const char *start) {
  while (*start)
    if (*text++ != *start++) return 0;
  return 1;
}

/* The loader gives constructors the environment; it runs them before it asks for the version. */
__attribute__((constructor)) static void map_records(int argc, char **argv, char **environment) {
  static const char variable[] = "HOMI_CALLS=";
  long file, at;
  (void)argc, (void)argv;
  while (*environment && !begins(*environment, variable)) environment++;
  if (!*environment) return;
  file = raw(SYS_open, (long)(*environment + sizeof variable - 1), O_RDWR, 0, 0, 0, 0);
  if (file < 0) return;
  at = raw(SYS_mmap, 0, sizeof(struct call) * MOST_CALLS, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  raw(SYS_close, file, 0, 0, 0, 0, 0);
  if (at > 0 || at < -4095) calls = (struct call *)at;
}

/* ---- what the loader asks ---- */

EXPORTED unsigned la_version(unsigned version) {
  return calls ? version < LAV_CURRENT ? version : LAV_CURRENT : 0;
}

EXPORTED unsigned la_objopen(struct link_map *map, Lmid_t namespace, uintptr_t *cookie) {
  (void)cookie;
  if (namespace != LM_ID_BASE) return 0;
  /* The executable has no name. */
  return map->l_name[0] ? LA_FLG_BINDTO : LA_FLG_BINDFROM | LA_FLG_BINDTO;
}

/* Functions that return twice, or look at their caller's frame. */
static int keeps_frame(const char *name) {
  static const char *const parts[] = {"setjmp", "longjmp", "vfork", "context", "pthread_exit", "_Unwind", "__cxa", "_Z", "__libc_start"};
  unsigned i;
  for (; *name; name++)
    for (i = 0; i < sizeof parts / sizeof parts[0]; i++)
      if (begins(name, parts[i])) return 0;
  return 1;
}

static int is_readable(uint64_t page) {
  unsigned char vector;
  return page && raw(SYS_mincore, (long)page, 1, (long)&vector, 0, 0, 0) == 0;
}

/* The bytes at an address, where memory may not be; true if the first is there. */
static int copy_bytes(char *to, uint64_t from) {
  uint64_t page = 0;
  unsigned i;
  for (i = 0; i < TEXT_BYTES; i++) {
    uint64_t at = from + i;
    if (i == 0 || (at & 0xfff) == 0) {
      page = at & ~(uint64_t)0xfff;
      if (from < 4096 || !is_readable(page)) break;
    }
    to[i] = *(const char *)at;
  }
  return i > 0;
}

static void copy_all(struct call *call, char (*to)[TEXT_BYTES], uint8_t *known) {
  unsigned i;
  for (i = 0; i < ARGUMENTS; i++)
    if (copy_bytes(to[i], call->arguments[i])) *known |= (uint8_t)(1u << i);
}

/* Arguments in the order in which the entry saves them. */
struct registers {
  uint64_t arguments[ARGUMENTS];
};

/* A call of a function begins: the address of the function. `place` is where its return address is. */
__attribute__((used, visibility("hidden"))) uintptr_t homi_call_begins(uint64_t function, struct registers *registers,
                                                                       uintptr_t *place) {
  const char *name = functions[function].name;
  struct call *call;
  unsigned i;
  if (!first_thread) first_thread = this_thread();
  if (call_count == MOST_CALLS || first_thread != this_thread()) return functions[function].address;
  /* Which functions a library function calls back, and when, is its own business. */
  if (open_call && (uint64_t)place < open_call->stack) return functions[function].address;
  open_call = call = &calls[call_count++];
  for (i = 0; i + 1 < NAME_BYTES && name[i]; i++) call->name[i] = name[i];
  call->stack = (uint64_t)place;
  for (i = 0; i < ARGUMENTS; i++) call->arguments[i] = registers->arguments[i];
  copy_all(call, call->before, &call->known_before);
  call->return_address = *place;
  *place = (uintptr_t)homi_call_returns;
  return functions[function].address;
}

/* A recorded call has returned: where it returns to. A handler on another stack may have made calls meanwhile. */
__attribute__((used, visibility("hidden"))) uintptr_t homi_call_ends(uint64_t result, uint64_t float_result,
                                                                     uint64_t place) {
  struct call *call = &calls[call_count - 1];
  while (call > calls && (call->stack != place || call->has_returned)) call--;
  call->result = result;
  call->float_result = float_result;
  copy_all(call, call->after, &call->known_after);
  call->has_result_text = (uint8_t)copy_bytes(call->result_text, result);
  call->has_returned = 1;
  if (call == open_call) open_call = 0;
  return call->return_address;
}

/* An entry for each function: it has its own address, as the loader asks for one, and says its number. Around the
 * record all registers that hold arguments or results are kept; al is the number of vector registers. */
__asm__(".text\n.globl homi_entries\n.hidden homi_entries\nhomi_entries:\n"
        ".set number, 0\n.rept 2048\n.balign 16\n push $number\n jmp homi_enter\n.set number, number + 1\n.endr\n"
        "homi_enter:\n"
        " push %rbp\n mov %rsp, %rbp\n and $-16, %rsp\n sub $192, %rsp\n"
        " mov %rdi, (%rsp)\n mov %rsi, 8(%rsp)\n mov %rdx, 16(%rsp)\n mov %rcx, 24(%rsp)\n mov %r8, 32(%rsp)\n"
        " mov %r9, 40(%rsp)\n mov %rax, 48(%rsp)\n mov %r10, 56(%rsp)\n"
        " movaps %xmm0, 64(%rsp)\n movaps %xmm1, 80(%rsp)\n movaps %xmm2, 96(%rsp)\n movaps %xmm3, 112(%rsp)\n"
        " movaps %xmm4, 128(%rsp)\n movaps %xmm5, 144(%rsp)\n movaps %xmm6, 160(%rsp)\n movaps %xmm7, 176(%rsp)\n"
        " mov 8(%rbp), %rdi\n mov %rsp, %rsi\n lea 16(%rbp), %rdx\n call homi_call_begins\n mov %rax, %r11\n"
        " mov (%rsp), %rdi\n mov 8(%rsp), %rsi\n mov 16(%rsp), %rdx\n mov 24(%rsp), %rcx\n mov 32(%rsp), %r8\n"
        " mov 40(%rsp), %r9\n mov 48(%rsp), %rax\n mov 56(%rsp), %r10\n"
        " movaps 64(%rsp), %xmm0\n movaps 80(%rsp), %xmm1\n movaps 96(%rsp), %xmm2\n movaps 112(%rsp), %xmm3\n"
        " movaps 128(%rsp), %xmm4\n movaps 144(%rsp), %xmm5\n movaps 160(%rsp), %xmm6\n movaps 176(%rsp), %xmm7\n"
        " mov %rbp, %rsp\n pop %rbp\n add $8, %rsp\n jmp *%r11\n"
        ".globl homi_call_returns\n.hidden homi_call_returns\nhomi_call_returns:\n"
        " sub $8, %rsp\n push %rbp\n mov %rsp, %rbp\n and $-16, %rsp\n sub $48, %rsp\n"
        " mov %rax, (%rsp)\n mov %rdx, 8(%rsp)\n movaps %xmm0, 16(%rsp)\n movaps %xmm1, 32(%rsp)\n"
        " mov %rax, %rdi\n movq %xmm0, %rsi\n lea 8(%rbp), %rdx\n call homi_call_ends\n mov %rax, 8(%rbp)\n"
        " mov (%rsp), %rax\n mov 8(%rsp), %rdx\n movaps 16(%rsp), %xmm0\n movaps 32(%rsp), %xmm1\n"
        " mov %rbp, %rsp\n pop %rbp\n ret\n");

/* The loader asks where calls go: calls of functions that can be recorded go to their entry. */
EXPORTED uintptr_t la_symbind64(Elf64_Sym *symbol, unsigned index, uintptr_t *from, uintptr_t *to, unsigned *flags,
                                const char *name) {
  (void)index, (void)from, (void)to;
  *flags |= LA_SYMB_NOPLTENTER | LA_SYMB_NOPLTEXIT;
  if (*flags & LA_SYMB_DLSYM || function_count == MOST_FUNCTIONS || !keeps_frame(name)) return symbol->st_value;
  functions[function_count].name = name;
  functions[function_count].address = symbol->st_value;
  return (uintptr_t)homi_entries + 16 * function_count++;
}
