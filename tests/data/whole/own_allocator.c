/* A program with an allocator of its own, on the program break: the library's calls use it too, as on glibc, the
 * modelled kernel does not. */
#define _DEFAULT_SOURCE
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char *top, *end;
static volatile unsigned long blocks;

void *malloc(size_t n) {
  char *p;
  n = (n + 31) & ~(size_t)15;
  if (!top || n > (size_t)(end - top)) {
    top = sbrk((intptr_t)n + 65536);
    if (top == (void *)-1) return 0;
    top += -(uintptr_t)top & 15;
    end = (char *)sbrk(0);
  }
  p = top;
  top += n;
  blocks++;
  *(size_t *)(void *)p = n - 16;
  return p + 16;
}

void free(void *p) { (void)p; }

void *calloc(size_t count, size_t size) {
  void *p = malloc(count * size);
  return p ? memset(p, 0, count * size) : 0;
}

void *realloc(void *p, size_t n) {
  void *q = malloc(n);
  size_t old = p ? ((size_t *)p)[-2] : 0;
  return q && p ? memcpy(q, p, old < n ? old : n) : q;
}

int main(void) {
  unsigned long before = blocks;
  char *copy = strdup("of the library"), *start, *next, *pipe_end = 0;
  int ends[2], refused;
  size_t room = 0;
  FILE *stream;
  printf("%s %d\n", copy, blocks == before + 1);
  start = sbrk(8192);
  next = sbrk(0);
  printf("%ld\n", (long)(next - start));
  start[8191] = 7;
  printf("%d %d\n", start[0], start[8191]);
  printf("%d\n", brk(start + 4096));
  printf("%d\n", sbrk(0) == start + 4096);
  sbrk(4096);
  printf("%d\n", start[8191]);
  errno = 0;
  refused = sbrk((intptr_t)1 << 46) == (void *)-1;
  printf("%d %d %d\n", refused, errno == ENOMEM, sbrk(0) == next);
  if (pipe(ends) || write(ends[1], "line\nrest", 9) != 9 || close(ends[1])) return 1;
  stream = fdopen(ends[0], "r");
  printf("%ld", (long)getline(&pipe_end, &room, stream));
  printf(" %s%lu\n", pipe_end, (unsigned long)room);
  return fclose(stream);
}
