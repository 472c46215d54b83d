/* The kernel's door: libc calls `__homi_syscall` with the number of x86-64 Linux and six words and gets a value or
 * -errno. calls.h says who answers. */
#include "internal.h"

/* A system call without an implementation ends the path as an unsupported feature that names it. */
static long unknown(long number) {
  char text[] = "syscall 0000000000";
  int i = 8, digits = 1;
  long rest;
  for (rest = number; rest >= 10 && digits < 10; rest /= 10) digits++;
  text[i + digits] = 0;
  while (digits-- > 0) {
    text[i + digits] = (char)('0' + number % 10);
    number /= 10;
  }
  homi_unsupported(text);
}

/* Numbers that some Linux has a call for. */
static int is_call(long number) {
  enum { LAST_OLD = 334, FIRST_COMMON = 424, LAST = 511 };
  return (number >= 0 && number <= LAST_OLD) || (number >= FIRST_COMMON && number <= LAST);
}

/* A call that the model lacks. A run names it by this call. */
__attribute__((noinline)) long hk_refuse(long error) { return -error; }

static int64_t milliseconds(long time) { return hk_decide((int)time < 0) ? -1 : (int64_t)(int)time * 1000000; }

/* Types of arguments, by their names in calls.h. */
#define N(a) ((unsigned long)(a))
#define ANY(a) ((void *)(a))
#define TEXT(a) ((const char *)(a))
#define CHARS(a) ((char *)(a))
#define BYTES(a) ((unsigned char *)(a))
#define INTS(a) ((int32_t *)(a))
#define WORDS32(a) ((uint32_t *)(a))
#define SIGNED(a) ((int64_t *)(a))
#define WORDS(a) ((uint64_t *)(a))
#define STAT(a) ((struct kernel_stat *)(a))
#define TIME(a) ((struct kernel_time *)(a))
#define NANOSECONDS(a) hk_timeout_of(SIGNED(a), 1000000000)

/* One switch on the number itself: homi leaves out the rows that a program cannot ask for (src/llvm/lower/syscall_pruning.rs). */
long __homi_syscall(long number, long a1, long a2, long a3, long a4, long a5, long a6) {
  switch (number) {
#define SYSCALL(number_of_row, name, family, replay, ...) \
  case number_of_row: return __VA_ARGS__;
#include "calls.h"
  default: return is_call(number) ? unknown(number) : -ENOSYS;
  }
}
