// An automaton whose rows of 256 successors are made on demand and linked by pointers.
// input: 4
// alphabet: 61 62 63 2a 00 0a
#include "outcome.h"
#include <stdlib.h>

struct row {
  struct row *to[256];
  unsigned char number, accepts;
};
static struct row *known[8];
static int rows;

static struct row *row_of(int state) {
  if (known[state]) return known[state];
  struct row *row = calloc(1, sizeof *row);
  if (!row) _exit(249);
  row->number = state;
  row->accepts = state == 3 || state == 5;
  rows++;
  return known[state] = row;
}

/* a(b|c)*c is accepted in state 3, anything with a newline after an a in state 5. */
static int successor(int state, int letter) {
  switch (state) {
  case 0: return letter == 'a' ? 1 : 0;
  case 1: return letter == 'b' ? 2 : letter == 'c' ? 3 : letter == '\n' ? 5 : 0;
  case 2:
  case 3: return letter == 'b' ? 2 : letter == 'c' ? 3 : letter == '\n' ? 4 : 0;
  case 4: return letter ? 5 : 6;
  default: return state;
  }
}

int main(void) {
  unsigned char in[4];
  take(in, sizeof in);
  struct row *at = row_of(0);
  for (int i = 0; i < 4; i++) {
    struct row *next = at->to[in[i]];
    if (!next) next = at->to[in[i]] = row_of(successor(at->number, in[i]));
    at = next;
    if (at->number == 6) abort();
  }
  return each(at->accepts * 100 + at->number * 10 + rows);
}
