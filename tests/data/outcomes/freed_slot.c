// free and realloc of a slot that may be empty, of no size, of some, or no block at all.
// input: 2
// alphabet: 00 01 02 03 04 05 06 07
// sanitizer: address
// report: free of global
#include "outcome.h"
#include <stdlib.h>

int main(void) {
  static char fixed[32];
  unsigned char in[2];
  take(in, sizeof in);
  char *slot[8] = {malloc(0), malloc(8), 0, malloc(1), fixed + 16, (char *)0xdeadbeef, 0, 0};
  char *block = malloc(24);
  if (!block) return 249;
  slot[6] = block + 8;
  slot[7] = block;
  unsigned which = in[0] & 7;
  switch (in[1] & 3) {
  case 0: free(slot[which]); return 3;
  case 1: {
    char *moved = realloc(slot[which], 40);
    if (!moved) return 4;
    moved[39] = 5;
    return each(moved[39]);
  }
  case 2:
    if (which >= 4 && which <= 6) return 6;
    free(slot[which]);
    slot[which] = 0;
    for (int i = 0; i < 4; i++) free(slot[i]);
    return 7;
  default: return each(slot[which] ? 8 : 9);
  }
}
