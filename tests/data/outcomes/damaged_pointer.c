// A byte of a pointer changes through a union before the block is freed or read.
// input: 1
// sanitizer: address
#include "outcome.h"
#include <stdlib.h>

union overlay {
  unsigned char *block;
  unsigned char byte[sizeof(void *)];
};

int main(void) {
  union overlay data;
  unsigned char in;
  take(&in, 1);
  if (!(data.block = malloc(37))) return 249;
  data.block[0] = 7;
  if (in >= 200) {
    /* Only the upper half is touched, and back to what it was. */
    data.byte[5] ^= in & 1;
    data.byte[5] ^= 1;
    return each(*data.block);
  }
  data.byte[0] = (unsigned char)(data.byte[0] + (in & 127));
  free(data.block);
  return 0;
}
