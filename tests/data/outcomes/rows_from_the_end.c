// Rows from the end of tables that digits choose, and rows of a buffer that was moved meanwhile.
// input: 2
// alphabet: 30 31 32 33 34 35 36 37 38 39 2d
#include "outcome.h"
#include <stdlib.h>
#include <string.h>

struct row { unsigned a, b, c, d, e, f, g; };
static struct row table[100];
static char names[33], others[70][33], more[40][700];

/* The pointer goes along with its buffer by the distance of the two. */
static int moved(int row) {
  struct row *old = calloc(100, sizeof *old), *chosen = old + (99 - row);
  if (!old) return 91;
  chosen->d = 7;
  struct row *larger = calloc(300, sizeof *larger);
  if (!larger) return 92;
  memcpy(larger, old, 100 * sizeof *old);
  chosen = (struct row *)((char *)chosen + ((char *)larger - (char *)old));
  free(old);
  return chosen->d == 7 ? 0 : 95;
}

int main(void) {
  unsigned char in[2];
  take(in, 2);
  names[0] = others[69][32] = more[39][699] = 1;
  if (in[0] < '0' || in[0] > '9') return in[0] == '-' ? 1 : 2;
  if (in[1] < '0' || in[1] > '9') return 3;
  int number = (in[0] - '0') * 10 + (in[1] - '0');
  table[99 - number].b = 5;
  if (table[99 + 528 - in[0] * 10 - in[1]].b != 5) return 93;
  struct row *end = table + 100;
  if (end[-1 - number].b != 5) return 94;
  if (moved(number)) return moved(number);
  return each(table[7].b == 5 ? 4 : number > 90 ? 5 : 6);
}
