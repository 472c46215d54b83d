// System calls on memory that may not be accessed: EFAULT.
// input: 1
#define _GNU_SOURCE
#include "outcome.h"
#include <errno.h>
#include <sys/mman.h>
#include <sys/stat.h>

int main(void) {
  unsigned char in;
  int ends[2];
  take(&in, 1);
  char *pages = mmap(0, 2 * 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (pages == MAP_FAILED || pipe(ends)) return 90;
  if (mprotect(pages + 4096, 4096, PROT_NONE)) return 91;
  errno = 0;
  switch (in & 7) {
  case 0: return write(ends[1], pages + 4096, 5) == -1 && errno == EFAULT ? 1 : 92;
  case 1: return write(ends[1], 0, 5) == -1 && errno == EFAULT ? 2 : 93;
  case 2:
    if (write(ends[1], "abc", 3) != 3) return 94;
    return read(ends[0], pages + 4096, 3) == -1 && errno == EFAULT ? 3 : 95;
  case 4: return stat(pages + 4096, (struct stat *)pages) == -1 && errno == EFAULT ? 5 : 97;
  default: return write(ends[1], pages + 4094, 2) == 2 ? 8 : 101;
  }
}
