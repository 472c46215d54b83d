// Pointers compared with the borders that the linker names: code, data, what is zero, the heap, the stack.
// input: 1
#include "outcome.h"
#include <stdlib.h>

extern char __executable_start[], etext[], edata[], end[], __bss_start[], _end[], __data_start[];
static int initialised = 5;
static int zero[4];
static const int fixed = 3;

static int is_code(const void *at) { return (const char *)at >= __executable_start && (const char *)at < etext; }
static int is_data(const void *at) { return (const char *)at >= __data_start && (const char *)at < _end; }

int main(void) {
  unsigned char in;
  int local = 0;
  take(&in, 1);
  int *block = malloc(4);
  if (!is_code((void *)main) || !is_code((void *)is_code) || is_code(&initialised) || is_code(block)) return 90;
  if (!((char *)&initialised < edata) || !((char *)zero >= __bss_start) || !((char *)(zero + 4) <= end)) return 91;
  if (!(etext <= edata && edata <= __bss_start && __bss_start <= end)) return 92;
  int *which[] = {&initialised, &zero[in & 3], block, &local};
  int *chosen = which[in >> 6];
  if (is_data(&fixed)) return 93;
  if (is_data(chosen)) return (char *)chosen < edata ? 1 : 2;
  return chosen == block ? 3 : 4;
}
