// Guard pages on both sides of a buffer, pages that become read-only, pages that are gone.
// input: 2
// alphabet: 00 01 02 03 0f 10 11 80
// report: memory error
#include "outcome.h"
#include <sys/mman.h>

enum { PAGE = 4096, ALL = PROT_READ | PROT_WRITE };

int main(void) {
  unsigned char in[2];
  take(in, sizeof in);
  char *room = mmap(0, 4 * PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (room == MAP_FAILED) return 90;
  if (mprotect(room + PAGE, 2 * PAGE, ALL)) return 91;
  char *buffer = room + 3 * PAGE - 16;
  int sum = 0;
  switch (in[0]) {
  case 0:
    if (in[1] > 32) return 1;
    for (int i = 0; i < in[1]; i++) sum += buffer[i];
    return sum ? 92 : 2;
  case 1:
    if (in[1] > 32) return 3;
    buffer[in[1]] = 1;
    return 4;
  case 2:
    if (in[1] > 32) return 5;
    return room[PAGE + 16 - in[1]] ? 93 : 6;
  case 3:
    room[PAGE] = 5;
    if (mprotect(room + PAGE, PAGE, PROT_READ)) return 94;
    if (room[PAGE] != 5) return 95;
    room[2 * PAGE] = 6;
    if (in[1] == 1) room[PAGE] = 6;
    if (mprotect(room + PAGE, PAGE, ALL)) return 96;
    room[PAGE + 1] = 7;
    return room[PAGE] + room[PAGE + 1];
  case 15:
    room[2 * PAGE] = 4;
    if (munmap(room + PAGE, PAGE)) return 97;
    if (in[1] == 2) return room[PAGE];
    return room[2 * PAGE];
  case 16:
    room[PAGE + 7] = 3;
    if (madvise(room + PAGE, PAGE, MADV_DONTNEED)) return 98;
    return room[PAGE + 7] ? 99 : 7;
  default: return 8;
  }
}
