// A decoder of UTF-8 with an automaton in tables.
// input: 3
// alphabet: 41 80 bf c1 c3 e0 e2 ed f0 a0
#include "outcome.h"
#include <stdint.h>

enum { ACCEPT, REJECT, ONE, TWO, AFTER_E0, AFTER_ED, STATES };
static int class_of(unsigned char byte) {
  if (byte < 0x80) return 0;
  if (byte < 0xa0) return 1;
  if (byte < 0xc0) return 2;
  if (byte < 0xc2) return 7;
  if (byte < 0xe0) return 3;
  if (byte == 0xe0) return 4;
  if (byte == 0xed) return 5;
  return byte < 0xf0 ? 6 : 7;
}
static const unsigned char next[STATES][8] = {
    [ACCEPT] = {ACCEPT, REJECT, REJECT, ONE, AFTER_E0, AFTER_ED, TWO, REJECT},
    [REJECT] = {REJECT, REJECT, REJECT, REJECT, REJECT, REJECT, REJECT, REJECT},
    [ONE] = {REJECT, ACCEPT, ACCEPT, REJECT, REJECT, REJECT, REJECT, REJECT},
    [TWO] = {REJECT, ONE, ONE, REJECT, REJECT, REJECT, REJECT, REJECT},
    [AFTER_E0] = {REJECT, REJECT, ONE, REJECT, REJECT, REJECT, REJECT, REJECT},
    [AFTER_ED] = {REJECT, ONE, REJECT, REJECT, REJECT, REJECT, REJECT, REJECT},
};

int main(void) {
  unsigned char in[3];
  take(in, 3);
  unsigned state = ACCEPT, letters = 0;
  for (int i = 0; i < 3; i++) {
    state = next[state][class_of(in[i])];
    if (state == REJECT) return 50 + i;
    letters += state == ACCEPT;
  }
  return state == ACCEPT ? (int)letters : 10 + (int)(state * 4 + letters);
}
