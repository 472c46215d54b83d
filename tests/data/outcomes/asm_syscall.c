// The syscall instruction with up to six arguments, on what the program made itself.
// input: 1
#include "outcome.h"
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>

static long call6(long number, long a, long b, long c, long d, long e, long f) {
  long result;
  register long r10 __asm__("r10") = d;
  register long r8 __asm__("r8") = e;
  register long r9 __asm__("r9") = f;
  __asm__ volatile("syscall"
                   : "=a"(result)
                   : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
                   : "rcx", "r11", "memory");
  return result;
}

int main(void) {
  unsigned char in, back = 0;
  int ends[2];
  long got;
  __asm__ volatile("syscall" : "=a"(got) : "a"(SYS_read), "D"(0), "S"(&in), "d"(1) : "rcx", "r11", "memory");
  if (got != 1) return 90;
  if (call6(SYS_pipe2, (long)ends, O_CLOEXEC, 0, 0, 0, 0) != 0) return 91;
  if (call6(SYS_write, ends[1], (long)&in, 1, 0, 0, 0) != 1) return 92;
  if (call6(SYS_read, ends[0], (long)&back, 1, 0, 0, 0) != 1) return 93;
  if (back != in) return 94;
  if (in > 200) return call6(SYS_close, 99, 0, 0, 0, 0, 0) == -EBADF ? 1 : 95;
  char *page = (char *)call6(SYS_mmap, 0, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if ((long)page < 0) return 96;
  page[in] = 5;
  if (page[100] == 5) return 2;
  return page[0] == 5 ? 3 : 4;
}
