// Aligned allocation: the alignment is input and may be none that is allowed.
// input: 2
// alphabet: 00 01 02 04 08 10 20 40 80 18
#include "outcome.h"
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>

int main(void) {
  unsigned char in[2];
  void *block = 0;
  take(in, sizeof in);
  size_t alignment = in[0];
  int failed = posix_memalign(&block, alignment, in[1] & 63);
  if (failed) return each(failed == EINVAL ? 50 : 51);
  if ((uintptr_t)block % alignment) return 100;
  for (int i = 0; i < (in[1] & 63); i++) ((char *)block)[i] = i;
  unsigned low = (uintptr_t)block & 7;
  free(block);
  return each((alignment >= 64) + 2 * (low == 0));
}
