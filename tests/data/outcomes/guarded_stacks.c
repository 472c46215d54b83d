// Guard pages around memory, as locking allocators make them: writes at the borders, opened and closed again.
// input: 2
// alphabet: 00 01 02 03 40 41 80 ff
#define _GNU_SOURCE
#include "outcome.h"
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>

struct region {
  char *base, *memory;
  size_t size;
};
static int make(struct region *region, size_t size) {
  long page = sysconf(_SC_PAGESIZE);
  size = (size + page - 1) & ~(size_t)(page - 1);
  region->base = mmap(0, size + 2 * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (region->base == MAP_FAILED) return -1;
  region->memory = region->base + page;
  region->size = size;
  return mprotect(region->memory, size, PROT_READ | PROT_WRITE);
}

int main(void) {
  unsigned char in[2];
  struct region region;
  struct rlimit limit;
  long page = sysconf(_SC_PAGESIZE);
  take(in, 2);
  if (make(&region, page + 1) || region.size != 2 * page) return 90;
  if (getrlimit(RLIMIT_STACK, &limit) || limit.rlim_cur < 65536) return 91;
  if (mlockall(MCL_CURRENT) == 0) munlockall();
  memset(region.memory, 7, region.size);
  long at = (long)(in[0] >> 6) % 3 * page - (in[0] & 1);
  if (in[1] & 1 && mprotect(region.memory + page, page, PROT_READ)) return 92;
  if (in[1] & 2 && mprotect(region.base, page, PROT_READ)) return 93;
  if (in[1] & 0x80) region.memory[at] = 9;
  int sum = region.memory[at] + region.memory[region.size - 1];
  if (munmap(region.base, region.size + 2 * page)) return 94;
  if (in[1] & 0x40) return region.memory[0];
  return sum;
}
