// memmove within one buffer: source, target and length are input.
// input: 3
// alphabet: 00 01 04 08 0f 10 11 1f
// sanitizer: address
#include "outcome.h"
#include <string.h>

int main(void) {
  unsigned char in[3], buffer[22];
  take(in, sizeof in);
  for (int i = 0; i < 22; i++) buffer[i] = i;
  size_t to = in[0] & 7, from = in[1] & 3, length = (in[2] & 3) * 7;
  if (to + length > 24) return 60;
  memmove(buffer + to, buffer + from, length);
  return each(buffer[9]);
}
