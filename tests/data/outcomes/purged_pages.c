// What an allocator asks of its pages: purged ones are zeros, others stay, a file's come back.
// input: 1
#define _GNU_SOURCE
#include "outcome.h"
#include <string.h>
#include <sys/mman.h>

int main(void) {
  unsigned char in;
  take(&in, 1);
  char *pages = mmap(0, 4 * 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (pages == MAP_FAILED) return 90;
  memset(pages, 7, 4 * 4096);
  unsigned which = in & 3;
  if (madvise(pages + which * 4096, 4096, MADV_DONTNEED)) return 91;
  int sum = 0;
  for (unsigned page = 0; page < 4; page++) sum = sum * 2 + (pages[page * 4096 + 5] != 0);
  if (in & 4) {
    char *moved = mremap(pages, 4 * 4096, 8 * 4096, MREMAP_MAYMOVE);
    if (moved == MAP_FAILED || moved[7 * 4096] || moved[3 * 4096] != (which == 3 ? 0 : 7)) return 92;
  }
  return sum;
}
