// A recursion that needs 64 bytes a level at least: 40,000 levels fit the stack, a million do not.
// input: 1
#include "outcome.h"

struct piece {
  volatile long words[8];
};

static long down(long levels, struct piece *above) {
  struct piece mine;
  for (int i = 0; i < 8; i++) mine.words[i] = levels + i;
  if (above && above->words[0] != levels + 1) return -1;
  if (levels == 0) return 1;
  long below = down(levels - 1, &mine);
  return below < 0 || mine.words[7] != levels + 7 ? -1 : below + 1;
}

int main(void) {
  unsigned char in;
  take(&in, 1);
  long levels = in == 200 ? 1000000 : in > 200 ? 40000 : in & 7;
  long count = down(levels, 0);
  if (count != levels + 1) return 100;
  return each((int)(count % 19));
}
