// Divisions written as assignments, with operands of different widths on either side.
// input: 4
// alphabet: 00 01 02 80 ff 7f
#include "outcome.h"
#include <limits.h>

struct quotas {
  int whole;
  long wide;
  signed char small;
  signed int field : 8;
};

int main(void) {
  unsigned char in[4];
  take(in, sizeof in);
  signed char by = (signed char)in[0];
  struct quotas q = {INT_MIN + in[1] % 4, LONG_MIN + in[2] % 4, (signed char)in[3], -128};
  if (!by) return 100;
  q.small /= by;
  q.small %= by;
  q.field /= by;
  if (in[3] == 1) q.wide /= by;
  if (in[3] == 2) q.wide %= by;
  if (in[3] == 3) q.whole /= by;
  if (in[3] == 4) q.whole %= by;
  /* The divisor is wide here, so that the number is made wide and does not trap. */
  if (in[3] == 5) q.whole /= (long)by;
  return each((q.field == -128) + 2 * (q.whole == INT_MIN) + 4 * (q.wide == LONG_MIN) +
              8 * (q.small == 0));
}
