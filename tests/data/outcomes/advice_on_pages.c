// madvise, msync, mincore, mlock: what they change, and what they say of pages that are not there.
// input: 1
#define _GNU_SOURCE
#include "outcome.h"
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>

#define FAILS(call, with) ((call) == -1 && errno == (with))

int main(void) {
  unsigned char in, there[4];
  long page = sysconf(_SC_PAGESIZE);
  take(&in, 1);
  char *area = mmap(0, 3 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  int file = memfd_create("file", 0);
  if (area == MAP_FAILED || file < 0 || ftruncate(file, 2 * page)) return 90;
  char *shared = mmap(0, 2 * page, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  char *private = mmap(0, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE, file, 0);
  if (shared == MAP_FAILED || private == MAP_FAILED) return 91;
  memset(area, 'a', 3 * page);
  shared[0] = 's';
  switch (in & 7) {
  case 0: /* Anonymous pages are zero afterwards. */
    if (madvise(area + page, page, MADV_DONTNEED)) return 92;
    return area[page] == 0 && area[0] == 'a' && area[2 * page] == 'a' ? 1 : 93;
  case 1: /* A private copy is the program's own. */
    private[0] = 'p', shared[1] = 't';
    return private[0] == 'p' && shared[0] == 's' ? 2 : 94;
  case 2:
    if (!FAILS(madvise(area, page, 1000), EINVAL)) return 97;
    if (!FAILS(madvise(area + 1, page, MADV_DONTNEED), EINVAL)) return 98;
    if (madvise(area, 0, MADV_DONTNEED) || madvise(area, page, MADV_WILLNEED)) return 99;
    munmap(area + page, page);
    if (!FAILS(madvise(area, 3 * page, MADV_DONTNEED), ENOMEM)) return 100;
    /* What is there was given up all the same. */
    return area[0] == 0 && area[2 * page] == 0 ? 3 : 101;
  case 3:
    if (!FAILS(msync(shared + 1, page, MS_SYNC), EINVAL)) return 102;
    if (!FAILS(msync(shared, page, MS_SYNC | MS_ASYNC), EINVAL)) return 103;
    if (msync(shared, 2 * page, MS_SYNC) || msync(area, page, MS_ASYNC)) return 104;
    munmap(area + page, page);
    return FAILS(msync(area, 3 * page, MS_SYNC), ENOMEM) ? 4 : 105;
  case 4:
    if (mlock(area, page) || munlock(area, page)) return 106;
    return 5;
  case 5:
    if (mincore(area, 3 * page, there)) return 108;
    munmap(area + page, page);
    if (!FAILS(mincore(area, 3 * page, there), ENOMEM)) return 109;
    return FAILS(mincore(area + 1, page, there), EINVAL) ? 6 : 110;
  case 6:
    if (ftruncate(file, page)) return 111;
    shared[page - 1] = 1;
    return 7;
  default:
    munmap(shared, 2 * page);
    shared[0] = 1;
    return 112;
  }
}
