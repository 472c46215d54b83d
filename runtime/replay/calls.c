/* Records which library functions a native program calls, and what they give: an audit library of the dynamic
 * loader (LD_AUDIT), which `homi replay` loads to find the call at which the program and homi part.
 *
 * Only calls by the executable through its procedure linkage table are seen, of these only those of its first
 * thread, and none that a library function makes through a callback.
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

#include "calls.h"

#define EXPORTED __attribute__((visibility("default")))

static struct call *calls;
static uint64_t call_count;
static uint64_t first_thread;
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

/* Functions that return twice or never come back to this frame cannot be called through the loader's copy of it. */
static int keeps_frame(const char *name) {
  static const char *const parts[] = {"setjmp", "longjmp", "vfork", "context", "pthread_exit", "_Unwind", "__cxa", "__libc_start"};
  unsigned i;
  for (; *name; name++)
    for (i = 0; i < sizeof parts / sizeof parts[0]; i++)
      if (begins(name, parts[i])) return 0;
  return 1;
}

EXPORTED uintptr_t la_symbind64(Elf64_Sym *symbol, unsigned index, uintptr_t *from, uintptr_t *to, unsigned *flags,
                                const char *name) {
  (void)index, (void)from, (void)to;
  if (!keeps_frame(name)) *flags |= LA_SYMB_NOPLTENTER | LA_SYMB_NOPLTEXIT;
  return symbol->st_value;
}

static int is_readable(uint64_t page) {
  unsigned char vector;
  return page && raw(SYS_mincore, (long)page, 1, (long)&vector, 0, 0, 0) == 0;
}

/* The start of a text in memory, which may not be there; true if its first byte is. */
static int copy_text(char *to, uint64_t from) {
  uint64_t page = 0;
  unsigned i;
  for (i = 0; i < TEXT_BYTES; i++) {
    uint64_t at = from + i;
    if (i == 0 || (at & 0xfff) == 0) {
      page = at & ~(uint64_t)0xfff;
      if (from < 4096 || !is_readable(page)) break;
    }
    to[i] = *(const char *)at;
    if (!to[i]) return 1;
  }
  if (i < TEXT_BYTES) to[i] = 0;
  return i > 0;
}

static void copy_texts(struct call *call, char (*to)[TEXT_BYTES], uint8_t *known) {
  unsigned i;
  for (i = 0; i < ARGUMENTS; i++)
    if (copy_text(to[i], call->arguments[i])) *known |= (uint8_t)(1u << i);
}

EXPORTED Elf64_Addr la_x86_64_gnu_pltenter(Elf64_Sym *symbol, unsigned index, uintptr_t *from, uintptr_t *to,
                                           La_x86_64_regs *registers, unsigned *flags, const char *name,
                                           long *frame_size) {
  struct call *call;
  unsigned i;
  (void)index, (void)from, (void)to, (void)flags;
  if (!first_thread) first_thread = this_thread();
  if (call_count == MOST_CALLS || first_thread != this_thread()) return symbol->st_value;
  /* Which functions a library function calls back, and when, is its own business. */
  if (open_call && registers->lr_rsp < open_call->stack) return symbol->st_value;
  open_call = call = &calls[call_count++];
  for (i = 0; i + 1 < NAME_BYTES && name[i]; i++) call->name[i] = name[i];
  call->stack = registers->lr_rsp;
  call->arguments[0] = registers->lr_rdi;
  call->arguments[1] = registers->lr_rsi;
  call->arguments[2] = registers->lr_rdx;
  call->arguments[3] = registers->lr_rcx;
  call->arguments[4] = registers->lr_r8;
  call->arguments[5] = registers->lr_r9;
  copy_texts(call, call->before, &call->known_before);
  /* Bytes of arguments on the stack that the loader copies. */
  *frame_size = 512;
  return symbol->st_value;
}

EXPORTED unsigned la_x86_64_gnu_pltexit(Elf64_Sym *symbol, unsigned index, uintptr_t *from, uintptr_t *to,
                                        const La_x86_64_regs *before, La_x86_64_retval *after, const char *name) {
  (void)symbol, (void)index, (void)from, (void)to, (void)name;
  if (first_thread != this_thread()) return 0;
  if (!open_call || open_call->stack != before->lr_rsp) return 0;
  open_call->result = after->lrv_rax;
  open_call->float_result = *(const uint64_t *)(const void *)&after->lrv_xmm0;
  copy_texts(open_call, open_call->after, &open_call->known_after);
  open_call->has_returned = 1;
  open_call = 0;
  return 0;
}
