/* Allocation and mappings. */
#include <alloca.h>
#include <fcntl.h>
#include <malloc.h>
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

#include "show.h"

static int all(const char *p, size_t n, char value) {
  for (size_t i = 0; i < n; i++)
    if (p[i] != value) return 0;
  return 1;
}

int main(void) {
  char *p = malloc(10), *q;
  memset(p, 'a', 10);
  p = realloc(p, 5000);
  SHOW(all(p, 10, 'a'));
  p = realloc(p, 5);
  SHOW(all(p, 5, 'a'));
  free(p);
  free(NULL);
  SHOW(realloc(NULL, 8) != NULL);
  p = calloc(100, 30);
  SHOW(all(p, 3000, 0));
  SHOW(calloc(SIZE_MAX / 2, 4) == NULL);
  SHOW(reallocarray(NULL, SIZE_MAX / 2, 4) == NULL);
  SHOW((uintptr_t)aligned_alloc(256, 512) % 256);
  SHOW((uintptr_t)memalign(64, 10) % 64);
  SHOW(posix_memalign((void **)&q, 1024, 10));
  SHOW((uintptr_t)q % 1024);
  SHOW(posix_memalign((void **)&q, 3, 10));
  SHOW(malloc_usable_size(malloc(100)) >= 100);
  SHOW((uintptr_t)malloc(1) % 16);
  int sum = 0;
  for (int i = 1; i < 50; i++) {
    char *area = alloca((size_t)i);
    memset(area, i, (size_t)i);
    sum += area[i - 1];
    char vla[i];
    memset(vla, 1, sizeof vla);
    sum += vla[0];
  }
  SHOW(sum);

  p = mmap(NULL, 10000, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  SHOW((uintptr_t)p % 4096);
  SHOW(all(p, 12288, 0));
  p[12287] = 'z';
  CALL(mprotect(p, 10000, PROT_READ | PROT_WRITE));
  p = mremap(p, 12288, 40960, MREMAP_MAYMOVE);
  SHOW(p[12287]);
  CALL(madvise(p, 4096, MADV_NORMAL));
  CALL(munmap(p, 40960));
  CALL((long)mmap(NULL, 0, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  CALL((long)mmap(NULL, 10, PROT_READ, MAP_PRIVATE, 77, 0));
  int fd = open("host.txt", O_RDWR);
  p = mmap(NULL, 10, PROT_READ | PROT_WRITE, MAP_PRIVATE, fd, 0);
  printf("%.10s", p);
  p[0] = 'X';
  munmap(p, 10);
  char first;
  pread(fd, &first, 1, 0);
  SHOW(first);
  p = mmap(NULL, 10, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  p[0] = 'Y';
  CALL(msync(p, 10, MS_SYNC));
  pread(fd, &first, 1, 0);
  SHOW(first);
  CALL(munmap(p, 10));
  CALL(munmap((void *)1, 10));
  int readable = open("host.txt", O_RDONLY);
  CALL((long)mmap(NULL, 10, PROT_READ | PROT_WRITE, MAP_SHARED, readable, 0));
  return 0;
}
