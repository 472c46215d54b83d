// An allocator's chunks: twice the size is mapped, head and tail are given back.
// input: 1
#define _GNU_SOURCE
#include "outcome.h"
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>

static void *chunk(size_t size, size_t alignment) {
  char *raw = mmap(0, size + alignment, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (raw == MAP_FAILED) return 0;
  char *start = (char *)(((uintptr_t)raw + alignment - 1) & ~(uintptr_t)(alignment - 1));
  if (start > raw && munmap(raw, start - raw)) return 0;
  size_t rest = raw + size + alignment - (start + size);
  if (rest && munmap(start + size, rest)) return 0;
  return start;
}

int main(void) {
  unsigned char in;
  take(&in, 1);
  size_t alignment = (size_t)4096 << (in & 3);
  char *first = chunk(8192, alignment), *second = chunk(8192, alignment);
  if (!first || !second || first == second) return 90;
  if (((uintptr_t)first | (uintptr_t)second) & (alignment - 1)) return 91;
  memset(first, 1, 8192);
  memset(second, 2, 8192);
  if (first[8191] != 1 || second[0] != 2) return 92;
  if (in & 4 && madvise(first, 8192, MADV_DONTNEED)) return 93;
  int kept = first[100];
  if (munmap(first, 8192) || munmap(second, 8192)) return 94;
  return kept * 4 + each(in & 3) + 1;
}
