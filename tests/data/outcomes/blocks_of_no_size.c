// malloc(0), calloc with a zero, realloc to and from nothing, free of null: all are legal.
// input: 3
// alphabet: 00 01 02 03 04 05
// sanitizer: address
#include "outcome.h"
#include <stdlib.h>

static void *made(int how, size_t n) {
  switch (how % 6) {
  case 0: return malloc(0);
  case 1: return calloc(n & 1, 8);
  case 2: return calloc(8, 0);
  case 3: return realloc(0, 0);
  case 4: return realloc(malloc(n), 9);
  default: return 0;
  }
}

int main(void) {
  unsigned char in[3];
  take(in, sizeof in);
  void *one = made(in[0], in[2]), *two = in[1] & 1 ? malloc(0) : made(in[1] >> 1, 0);
  int status = (one != 0) + 2 * (two != 0) + 4 * (one == two);
  if (in[2] & 4) {
    void *grown = realloc(one, 5);
    if (!grown) return 249;
    ((char *)grown)[4] = 6;
    one = grown;
    status += ((char *)grown)[4];
  }
  /* The same empty block twice is wrong as that of any other is. */
  if (in[2] == 99) two = one;
  free(one);
  free(two);
  free(0);
  return each(status);
}
