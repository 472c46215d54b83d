// Mappings at addresses of the program's choice, with hints, over reservations and next to each other.
// input: 2
// alphabet: 00 01 07 10 ff
#define _GNU_SOURCE
#include "outcome.h"
#include <errno.h>
#include <string.h>
#include <sys/mman.h>

enum { PAGE = 4096, ALL = PROT_READ | PROT_WRITE, OWN = MAP_PRIVATE | MAP_ANONYMOUS };

int main(void) {
  unsigned char in[2];
  char *wanted = (char *)0x30000000;
  take(in, sizeof in);
  char *page = mmap(wanted, PAGE, ALL, OWN | MAP_FIXED, -1, 0);
  if (page != wanted || page[100]) return 90;
  page[in[0]] = 7;
  if (mmap(wanted, PAGE, ALL, OWN | MAP_FIXED_NOREPLACE, -1, 0) != MAP_FAILED || errno != EEXIST) return 91;
  char *behind = mmap(wanted + PAGE, PAGE, ALL, OWN | MAP_FIXED_NOREPLACE, -1, 0);
  if (behind != wanted + PAGE) return 92;
  long word = 0x0102030405060708;
  memcpy(wanted + PAGE - 4, &word, 8);
  if (wanted[PAGE + 3] != 1 || wanted[PAGE - 4] != 8) return 93;
  if (*(long *)(wanted + PAGE - 4) != word) return 94;
  memset(wanted + PAGE - 10, 'x', 20);
  if (behind[9] != 'x' || behind[10]) return 95;
  char *room = mmap(0, 16 * PAGE, PROT_NONE, OWN | MAP_NORESERVE, -1, 0);
  if (room == MAP_FAILED) return 96;
  if (mmap(room + 4 * PAGE, 2 * PAGE, ALL, OWN | MAP_FIXED, -1, 0) != room + 4 * PAGE) return 97;
  room[4 * PAGE + in[1] * 16] = 9;
  if (munmap(wanted, PAGE)) return 98;
  if (behind[0] != 'x') return 99;
  if (mmap((void *)1, PAGE, ALL, OWN | MAP_FIXED, -1, 0) != MAP_FAILED || errno != EINVAL) return 100;
  char *hinted = mmap((void *)0x51000000, PAGE, ALL, OWN, -1, 0);
  if (hinted != (char *)0x51000000) return 101;
  if (in[1] == 255) return room[4 * PAGE + 4080] == 9 ? 1 : 2;
  if (in[0] == 16) return wanted[16];
  return room[4 * PAGE] == 9 ? 5 : 6;
}
