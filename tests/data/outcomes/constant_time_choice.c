// A pointer picked from six by masks, without a branch, as code does that hides what it picks.
// input: 1
#include "outcome.h"
#include <stdint.h>
#include <stdlib.h>

static uintptr_t mask_if_equal(unsigned a, unsigned b) {
  uint64_t difference = a ^ b;
  return (uintptr_t)((difference - 1) >> 63) * UINTPTR_MAX;
}

int main(void) {
  static int first = 3;
  int second = 8, *third = malloc(sizeof *third);
  unsigned char in;
  take(&in, 1);
  if (!third) return 249;
  *third = 12;
  const int *choice[6] = {&first, &second, third, 0, &first, third};
  uintptr_t picked = 0;
  for (unsigned i = 0; i < 6; i++) picked |= (uintptr_t)choice[i] & mask_if_equal(in & 7, i);
  const int *pointer = (const int *)picked;
  if ((in & 7) > 5 && pointer) return 100;
  if (in >= 128) return pointer ? each(40 + *pointer) : 41;
  return each(*pointer);
}
