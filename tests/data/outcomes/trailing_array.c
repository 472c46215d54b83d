// Structures with an array of any length at their end, of a size that is computed from the input.
// input: 3
// alphabet: 00 01 02 03 04 07 08 0f
// sanitizer: address
#include "outcome.h"
#include <stddef.h>
#include <stdlib.h>

struct packet {
  unsigned char length, kind;
  short item[];
};

int main(void) {
  unsigned char in[3];
  take(in, sizeof in);
  unsigned count = in[0] & 7;
  struct packet *packet = malloc(offsetof(struct packet, item) + count * sizeof(short));
  if (!packet) return 249;
  packet->length = count;
  packet->kind = in[1] & 3;
  for (unsigned i = 0; i < packet->length; i++) packet->item[i] = 3 * i;
  unsigned wanted = in[2] & 7;
  switch (packet->kind) {
  case 0: return wanted < count ? each(packet->item[wanted]) : 60;
  case 1: return wanted <= count ? each(packet->item[wanted] & 7) : 61; /* one too many */
  case 2: packet->item[count - 1] = 5; return 62;                        /* none may be there */
  default: return 63;
  }
}
