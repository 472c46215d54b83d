// Blocks of an arena: the input names which one grows, shrinks or goes, also ones of no size.
// input: 3
// alphabet: 00 01 02 03 04 05 06 10 20
// sanitizer: address
#include "outcome.h"
#include <stdlib.h>
#include <string.h>

enum { BLOCKS = 5 };
static unsigned char *block[BLOCKS];
static size_t size[BLOCKS] = {0, 1, 8, 16, 0};

int main(void) {
  unsigned char in[3];
  take(in, sizeof in);
  for (int i = 0; i < 4; i++) {
    if (!(block[i] = malloc(size[i]))) return 249;
    memset(block[i], i + 1, size[i]);
  }
  unsigned which = in[0] % BLOCKS;
  unsigned char *was = block[which];
  if (in[1] == 0) {
    free(was);
    block[which] = 0;
    size[which] = 0;
  } else {
    unsigned char *moved = realloc(was, in[1]);
    if (!moved) return 249;
    size_t kept = size[which] < in[1] ? size[which] : in[1];
    for (size_t i = 0; i < kept; i++)
      if (moved[i] != which + 1) return 100;
    if (in[1] > kept) moved[in[1] - 1] = 77;
    block[which] = moved;
    size[which] = in[1];
  }
  unsigned char *second = block[in[2] % BLOCKS];
  if (!second) return 3;
  /* The last byte of a block of no size is in front of it. */
  if (in[2] >= 128) return each(second[size[in[2] % BLOCKS] - 1] % 16);
  free(second);
  block[in[2] % BLOCKS] = 0;
  for (int i = 0; i < BLOCKS; i++) free(block[i]);
  return 4;
}
