// Pages written, then made read only: a write after that is a fault, reads are not.
// input: 1
#define _GNU_SOURCE
#include "outcome.h"
#include <string.h>
#include <sys/mman.h>

int main(void) {
  unsigned char in;
  take(&in, 1);
  unsigned char *code = mmap(0, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (code == MAP_FAILED) return 90;
  for (int i = 0; i < 8192; i++) code[i] = (unsigned char)(i * 7);
  if (mprotect(code, 4096, PROT_READ)) return 91;
  volatile int sum = code[10] + code[5000];
  code[in < 250 ? 4096 + in : in - 250] = 1;
  if (in & 1 && mprotect(code + 1, 4096, PROT_READ) == 0) return 92;
  return sum == (70 + (unsigned char)(5000 * 7)) ? 1 : code[4096] == 1 ? 2 : 3;
}
