// A table of inverted pointers: the bytes of one that input chooses do not merge into a table when
// they come back from memory, and the constant that they start from is no object's.
// input: 1
#include "outcome.h"
#include <stdint.h>
#include <stdlib.h>

struct node {
  int value;
  short count;
  struct node *next;
};

int main(void) {
  struct node *table[24];
  uintptr_t hidden[24];
  unsigned char in[1];
  take(in, sizeof in);
  for (int i = 0; i < 24; i++) {
    if (!(table[i] = calloc(1, sizeof **table))) return 249;
    table[i]->value = i;
    hidden[i] = (uintptr_t)table[i] ^ 0xff;
  }
  struct node *chosen = (struct node *)(hidden[in[0] & 15] ^ 0xff);
  table[1]->next = chosen;
  chosen->count = 6;
  return each(table[1]->next->count + table[1]->next->value);
}
