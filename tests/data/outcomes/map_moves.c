// mremap: grows, shrinks, moves, to a place of the program's choice.
// input: 1
#define _GNU_SOURCE
#include "outcome.h"
#include <string.h>
#include <sys/mman.h>

enum { PAGE = 4096, ALL = PROT_READ | PROT_WRITE };

int main(void) {
  unsigned char in;
  take(&in, 1);
  char *a = mmap(0, 2 * PAGE, ALL, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (a == MAP_FAILED) return 90;
  a[0] = 'a';
  a[PAGE + in] = 'b';
  a = mremap(a, 2 * PAGE, 6 * PAGE, MREMAP_MAYMOVE);
  if (a == MAP_FAILED || a[0] != 'a' || a[PAGE + in] != 'b' || a[5 * PAGE]) return 91;
  a[5 * PAGE] = 'c';
  if (mremap(a, 6 * PAGE, 2 * PAGE, 0) != a) return 92;
  char *at = (char *)0x40000000;
  char *b = mremap(a, 2 * PAGE, 3 * PAGE, MREMAP_MAYMOVE | MREMAP_FIXED, at);
  if (b != at || b[0] != 'a' || b[2 * PAGE]) return 93;
  if (in == 200) return a[0];
  if (mprotect(b, 3 * PAGE, PROT_READ)) return 94;
  if (in == 100) b[0] = 1;
  b = mremap(b, 3 * PAGE, 4 * PAGE, MREMAP_MAYMOVE);
  if (b == MAP_FAILED || b[0] != 'a') return 95;
  return b[PAGE] == 'b' ? 1 : b[PAGE + 7] == 'b' ? 2 : 3;
}
