// Sizes by multiplication: calloc notices what does not fit, malloc gets a small number.
// input: 3
// alphabet: 00 01 02 03 04 10 40 80 ff
// sanitizer: address
#include "outcome.h"
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>

int main(void) {
  unsigned char in[3];
  take(in, sizeof in);
  size_t count = (size_t)in[0] << (in[1] & 32 ? 56 : in[1] & 7);
  if (in[2] < 64) {
    errno = 0;
    int *all = calloc(count, sizeof *all);
    if (!all) return each(errno == ENOMEM ? 60 : 61);
    if (count > 0xffffff) return 62;
    if (count && in[2] < 4) return each(all[in[2]]);
    return 63;
  }
  uint8_t small = in[0] * 64;
  unsigned char *some = malloc(small);
  if (!some) return 249;
  for (unsigned i = 0; i < (in[0] & 7) * 64u; i += 64) some[i] = 1;
  if (in[2] == 255) return each(70 + (in[0] & 7));
  return 80;
}
