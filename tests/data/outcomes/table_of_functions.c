// Functions chosen by number, through a table with an empty place and one that is no function.
// input: 1
#include "outcome.h"
#include <stdlib.h>

typedef int action(int);
static int add(int x) { return x + 1; }
static int twice(int x) { return 2 * x; }
static int stop(int x) {
  if (x == 9) abort();
  return 5;
}
static int again(int x);
static action *const table[] = {add, twice, stop, 0, again, add, (action *)8, twice};
static int again(int x) { return table[x & 1](x); }

int main(void) {
  unsigned char in;
  take(&in, 1);
  action *chosen = table[in & 7];
  if (in >= 240 && chosen) return each(chosen == table[0] ? 60 : chosen == again ? 61 : 62);
  return each(chosen(in >> 4));
}
