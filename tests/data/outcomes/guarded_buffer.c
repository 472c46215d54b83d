// A buffer that ends at a page without access: one byte too many is a fault.
// input: 1
#define _GNU_SOURCE
#include "outcome.h"
#include <string.h>
#include <sys/mman.h>

int main(void) {
  unsigned char in;
  take(&in, 1);
  long page = sysconf(_SC_PAGESIZE);
  char *base = mmap(0, 2 * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (base == MAP_FAILED || mprotect(base, page, PROT_READ | PROT_WRITE)) return 90;
  char *buffer = base + page - 16;
  volatile unsigned length = in;
  for (unsigned i = 0; i < length; i++) {
    buffer[i] = 'x';
    if (i == 3 && in == 200) {
      if (mprotect(base + page, page, PROT_READ | PROT_WRITE)) return 91;
    }
  }
  munmap(base, 2 * page);
  return in == 200 ? 60 : each(in);
}
