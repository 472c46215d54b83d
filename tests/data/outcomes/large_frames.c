// Functions with large locals that call each other: the stack is full after few levels.
// input: 2
// alphabet: 00 01 02 03 04 05 10 20 ff
#include "outcome.h"
#include <string.h>

static int second(int levels, int large);
static int first(int levels, int large) {
  char mine[20000];
  memset(mine, levels, 100);
  if (levels <= 0) return mine[99];
  return second(levels - 1, large) + mine[3] % 2;
}
static int second(int levels, int large) {
  if (large) {
    char mine[200000];
    mine[0] = 1;
    mine[199999] = (char)levels;
    if (levels <= 0) return mine[0];
    return first(levels - 1, large) + (mine[199999] & 1);
  }
  return levels <= 0 ? 5 : first(levels - 1, large);
}

int main(void) {
  unsigned char in[2];
  take(in, sizeof in);
  int levels = in[0] == 255 ? 20000 : in[0] & 31;
  return each(first(levels, in[1] & 1));
}
