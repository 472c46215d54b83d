// Pointers whose bytes are moved about: halves in a union, single bytes, a rotation, a copy back.
// input: 3
// alphabet: 00 01 02 03 04 05 06 07 08
#include "outcome.h"
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

union parts {
  int *pointer;
  uint32_t half[2];
  unsigned char byte[8];
  uint64_t whole;
};

int main(void) {
  unsigned char in[3];
  union parts table[4], made;
  take(in, sizeof in);
  for (int i = 0; i < 4; i++) {
    if (!(table[i].pointer = malloc(sizeof(int)))) return 249;
    *table[i].pointer = 10 * i;
  }
  unsigned a = in[0] & 3, b = in[1] & 3;
  switch (in[2] & 3) {
  case 0:
    made.half[0] = table[a].half[0];
    made.half[1] = table[b].half[1];
    if (made.pointer != table[a].pointer) return 100;
    break;
  case 1:
    for (int i = 0; i < 8; i++) made.byte[(i + in[1]) & 7] = table[a].byte[(i + in[1]) & 7];
    break;
  case 2: {
    unsigned turn = (in[1] & 7) * 8;
    uint64_t word = table[a].whole;
    if (turn) word = word << turn | word >> (64 - turn);
    if (turn) word = word >> turn | word << (64 - turn);
    made.whole = word;
    break;
  }
  default: {
    char text[8];
    memcpy(text, &table[a], 8);
    memcpy(&made, &table[b], 4);
    memcpy((char *)&made + 4, text + 4, 4);
    if (a == b) made.byte[0] ^= in[0] >> 7;
    if (a == b && (in[0] >> 7)) return each(made.pointer == table[a].pointer ? 60 : 61);
  }
  }
  *made.pointer += 1;
  return each(*table[0].pointer + *table[1].pointer * 2 + (*table[3].pointer & 3));
}
