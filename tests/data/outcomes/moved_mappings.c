// mremap in place, with a move, over others, smaller, and what is left behind.
// input: 2
// alphabet: 00 01 02 03 04 05 06 07
#define _GNU_SOURCE
#include "outcome.h"
#include <errno.h>
#include <string.h>
#include <sys/mman.h>

int main(void) {
  unsigned char in[2];
  long page = sysconf(_SC_PAGESIZE);
  take(in, 2);
  char *area = mmap(0, 8 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (area == MAP_FAILED) return 90;
  memset(area, 'a', 2 * page);
  memset(area + 4 * page, 'b', page);
  char *to;
  switch (in[0] & 7) {
  case 0: /* No room to grow. */
    if (mremap(area, page, 3 * page, 0) != MAP_FAILED) return 91;
    return errno == ENOMEM ? 1 : 92;
  case 1: /* Room was made. */
    if (munmap(area + 2 * page, 2 * page)) return 93;
    to = mremap(area, 2 * page, 4 * page, 0);
    if (to != area) return 94;
    to[3 * page] = 'c';
    return to[2 * page] == 0 && to[page] == 'a' ? 2 : 95;
  case 2: /* Smaller: the rest is gone. */
    if (mremap(area, 4 * page, page, 0) != area) return 96;
    return area[(in[1] & 3) * page] == 'a' ? 6 : 7;
  case 3: /* Onto others, which go. */
    to = mremap(area, page, page, MREMAP_MAYMOVE | MREMAP_FIXED, area + 4 * page);
    if (to != area + 4 * page || *to != 'a' || to[page] != 0) return 97;
    return in[1] & 1 ? *area == 0 ? 8 : 9 : 3;
  case 4: /* A wrong flag, a wrong address, an overlap. */
    if (mremap(area, page, page, MREMAP_FIXED, area + page) != MAP_FAILED || errno != EINVAL) return 98;
    if (mremap(area + 1, page, page, 0) != MAP_FAILED || errno != EINVAL) return 99;
    if (mremap(area, 2 * page, 2 * page, MREMAP_MAYMOVE | MREMAP_FIXED, area + page) != MAP_FAILED || errno != EINVAL) return 100;
    return 4;
  case 5: /* Of what is not there. */
    if (munmap(area + page, page)) return 101;
    if (mremap(area, 2 * page, 3 * page, MREMAP_MAYMOVE) != MAP_FAILED) return 102;
    return errno == EFAULT ? 5 : 103;
  default: { /* A growing buffer. */
    size_t size = page;
    char *buffer = mmap(0, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    for (int i = 0; i < (in[1] & 3); i++) {
      buffer[size - 1] = (char)(i + 1);
      buffer = mremap(buffer, size, 2 * size, MREMAP_MAYMOVE);
      if (buffer == MAP_FAILED || buffer[size - 1] != i + 1 || buffer[size]) return 104;
      size *= 2;
    }
    return 10 + (int)(size / page);
  }
  }
}
