// What allocators probe at their start: page sizes, processors, alignment by trimming, purging, options by environment.
// input: 1
#define _GNU_SOURCE
#include "outcome.h"
#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <sched.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>

static int lg_page(void) {
  long page = sysconf(_SC_PAGESIZE);
  if (page == -1 || page != (long)getauxval(AT_PAGESZ)) return -1;
  return __builtin_ctzl((unsigned long)page);
}
static int overcommits(void) {
  char first;
  int file = open("/proc/sys/vm/overcommit_memory", O_RDONLY | O_CLOEXEC);
  if (file < 0) return 0;
  ssize_t got = read(file, &first, 1);
  close(file);
  return got == 1 && (first == '0' || first == '1');
}
static void *chunk(size_t size, size_t alignment) {
  char *pages = mmap(0, size + alignment, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (pages == MAP_FAILED) return 0;
  char *start = (char *)(((uintptr_t)pages + alignment - 1) & -alignment);
  if (start != pages) munmap(pages, start - pages);
  char *end = start + size, *all = pages + size + alignment;
  if (end != all) munmap(end, all - end);
  return start;
}

int main(void) {
  unsigned char in;
  cpu_set_t set;
  take(&in, 1);
  if (lg_page() < 12) return 90;
  if (sysconf(_SC_NPROCESSORS_ONLN) < 1 || sysconf(_SC_NPROCESSORS_CONF) < 1) return 91;
  if (sched_getaffinity(0, sizeof set, &set) || CPU_COUNT(&set) < 1) return 92;
  if (sched_getcpu() < 0 || !getauxval(AT_RANDOM) || getauxval(AT_SECURE)) return 93;
  (void)overcommits();
  errno = 0;
  if (getauxval(987654) || errno != ENOENT) return 94;
  if (secure_getenv("CASE_CONF_THAT_IS_NOT_SET")) return 95;
  size_t alignment = (size_t)1 << (16 + (in & 3));
  char *memory = chunk(65536, alignment);
  if (!memory || (uintptr_t)memory % alignment) return 96;
  memory[65535] = 1;
  if (madvise(memory, 65536, MADV_DONTNEED) || memory[65535]) return 97;
  if (in & 8) memory[65536 + (in & 16 ? 0 : -1)] = 1;
  char *block = malloc(in & 0x30);
  size_t usable = malloc_usable_size(block);
  if (usable < (in & 0x30)) return 98;
  memset(block, 1, usable);
  free(block);
  return in & 3;
}
