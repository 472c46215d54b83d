// memcpy of as much as the input says out of 600 bytes and into a field of 512 in front of another.
// input: 3
// alphabet: 00 01 02 58 59 ff fe
// sanitizer: address
#include "outcome.h"
#include <stdlib.h>
#include <string.h>

int main(void) {
  unsigned char in[3];
  take(in, sizeof in);
  unsigned char *from = malloc(600);
  struct message {
    unsigned char text[512];
    int mark;
    unsigned char rest[60];
  } *to = calloc(1, sizeof *to);
  if (!from || !to) return 249;
  for (int i = 0; i < 600; i++) from[i] = i % 7;
  size_t length = in[0] | (in[1] & 3u) << 8;
  if (in[2] & 1 && length > sizeof to->text) return 90;
  memcpy(to->text, from, length);
  if (to->mark) return 91;
  return each(to->text[300] + to->text[509] * 8 + to->text[in[2]] * 16);
}
