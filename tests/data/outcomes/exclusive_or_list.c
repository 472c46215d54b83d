// A list whose nodes hold the exclusive-or of both neighbours, walked from either end.
// input: 2
// alphabet: 00 01 02 05 09 0a 80 ff
#include "outcome.h"
#include <stdint.h>
#include <stdlib.h>

struct node {
  uintptr_t both;
  int value;
};

int main(void) {
  struct node *node[10], *before = 0, *at;
  unsigned char in[2];
  take(in, sizeof in);
  for (int i = 0; i < 10; i++)
    if (!(node[i] = malloc(sizeof **node))) return 249;
  for (int i = 0; i < 10; i++) {
    node[i]->both = (uintptr_t)(i ? node[i - 1] : 0) ^ (uintptr_t)(i < 9 ? node[i + 1] : 0);
    node[i]->value = i * i % 17;
  }
  at = in[0] & 128 ? node[9] : node[0];
  /* As many steps as the input says: beyond the end a null pointer is followed. */
  for (int i = 0; i < in[1] % 12; i++) {
    struct node *next = (struct node *)(at->both ^ (uintptr_t)before);
    before = at;
    at = next;
  }
  if (at) at->value += in[0] & 3;
  return each(node[4]->value + 20 * (at == node[in[0] & 7]));
}
