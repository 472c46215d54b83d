// Structures that own a block are copied: freeing both copies frees twice.
// input: 2
// alphabet: 00 01 02 03 04 05 06 07 40 80 c0
#include "outcome.h"
#include <stdlib.h>
#include <string.h>

struct owner {
  char *text;
  size_t length;
  struct owner *of;
};

int main(void) {
  struct owner owner[4], copy;
  unsigned char in[2];
  take(in, sizeof in);
  for (int i = 0; i < 4; i++) {
    owner[i].length = 24 + i;
    owner[i].of = &owner[3 - i];
    if (!(owner[i].text = malloc(owner[i].length))) return 249;
    memset(owner[i].text, 'a' + i, owner[i].length);
  }
  copy = owner[in[0] & 3];
  switch (in[1] >> 6) {
  case 0: copy = *copy.of; break;
  case 1: copy.text = owner[in[1] & 3].text; break;
  case 2: copy.text = 0; break;
  }
  int first = copy.text ? copy.text[3] - 'a' : 9;
  free(copy.text);
  owner[in[1] & 3].text = 0;
  /* Twice for the copy's block unless it was just forgotten. */
  for (int i = 0; i < 4; i++) free(owner[i].text);
  return each(first);
}
