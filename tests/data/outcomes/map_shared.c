// Shared mappings of one file see what each other, read and write do; the file grows and shrinks.
// input: 2
// alphabet: 00 01 02 03 04 05
#define _GNU_SOURCE
#include "outcome.h"
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>

enum { PAGE = 4096, ALL = PROT_READ | PROT_WRITE };

int main(void) {
  unsigned char in[2], back;
  char byte;
  take(in, sizeof in);
  if (in[0] > 5 || in[1] > 5) return 5;
  int file = memfd_create("ring", 0);
  if (file < 0 || ftruncate(file, PAGE)) return 90;
  char *a = mmap(0, PAGE, ALL, MAP_SHARED, file, 0), *b = mmap(0, PAGE, PROT_READ, MAP_SHARED, file, 0);
  if (a == MAP_FAILED || b == MAP_FAILED || a == b) return 91;
  a[in[0]] = 'a';
  if (b[in[0]] != 'a') return 92;
  if (pread(file, &byte, 1, in[0]) != 1 || byte != 'a') return 93;
  if (pwrite(file, "bcd", 3, 300) != 3 || memcmp(b + 300, "bcd", 3)) return 94;
  char *private = mmap(0, PAGE, ALL, MAP_PRIVATE, file, 0);
  private[300] = 'p';
  if (a[300] != 'b' || private[301] != 'c') return 95;
  /* The same page twice, side by side. */
  char *ring = mmap(0, 2 * PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (mmap(ring, PAGE, ALL, MAP_SHARED | MAP_FIXED, file, 0) != ring) return 96;
  if (mmap(ring + PAGE, PAGE, ALL, MAP_SHARED | MAP_FIXED, file, 0) != ring + PAGE) return 97;
  memcpy(ring + PAGE - 2, "wrap", 4);
  if (memcmp(b + PAGE - 2, "wr", 2) || memcmp(b, "ap", 2)) return 99;
  if (msync(a, PAGE, MS_SYNC)) return 100;
  if (ftruncate(file, 2 * PAGE)) return 101;
  char *second = mmap(0, PAGE, ALL, MAP_SHARED, file, PAGE);
  second[in[1]] = 's';
  if (pread(file, &byte, 1, PAGE + in[1]) != 1 || byte != 's') return 102;
  if (a[0] != 'a' || b[300] != 'b') return 103;
  munmap(a, PAGE);
  if (b[1] != 'p' || ring[PAGE + 1] != 'p') return 104;
  if (ftruncate(file, 100)) return 105;
  if (b[300] || b[1] != 'p') return 106;
  back = (unsigned char)b[in[1] & 1];
  return back == 'a' ? 2 : back == 'p' ? 3 : 4;
}
