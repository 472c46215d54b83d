// Rows of tables that digits choose: the constants of the index lead in front of the table.
// input: 2
// alphabet: 30 31 32 33 34 35 36 37 38 39 2d
#include "outcome.h"
#include <stdlib.h>
#include <string.h>

struct row { unsigned a, b, c, d, e, f, g; };
static const struct row first[4][23] = {{{1, 2, 3}, {4}}, {{5}}, {{6}}, {{7}}};
static struct row second[100];
static char names[33], others[70][33];

static struct row chosen(int level) {
  int row = level == 0 ? 3 : level < 0 ? 0 : level > 22 ? 22 : level;
  struct row copy = first[0][row];
  return copy;
}

int main(void) {
  unsigned char in[2];
  take(in, 2);
  names[0] = others[69][32] = 1;
  if (in[0] < '0' || in[0] > '9') return in[0] == '-' ? chosen(-(int)in[1] - 1).a == 1 ? 1 : 90 : 2;
  if (in[1] < '0' || in[1] > '9') return chosen(in[0] - '0').a == 4 ? 3 : 4;
  int number = (in[0] - '0') * 10 + (in[1] - '0');
  struct row *on_heap = calloc(100, sizeof *on_heap);
  if (!on_heap) return 91;
  on_heap[number].b = 5;
  second[number].c = 6;
  /* The same row by a sum that has no digit's constant left. */
  if (second[in[0] * 10 + in[1] - 528].c != 6) return 93;
  struct row copy;
  memcpy(&copy, (char *)on_heap + (in[0] * 10l + in[1] - 528) * (long)sizeof copy, sizeof copy);
  if (copy.b != 5) return 94;
  return each(chosen(number).a == 4 ? 5 : number > 90 ? 6 : 7);
}
