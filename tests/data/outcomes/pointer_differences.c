// Differences and order of pointers into one array, also one past its end.
// input: 3
// alphabet: 00 01 02 05 0a 0b
#include "outcome.h"
#include <stddef.h>

struct triple {
  short a, b, c;
};

int main(void) {
  static struct triple all[11];
  unsigned char in[3];
  take(in, sizeof in);
  struct triple *low = all + in[0] % 12, *high = all + in[1] % 12;
  int swapped = 0;
  if (low > high) {
    struct triple *kept = low;
    low = high;
    high = kept;
    swapped = 1;
  }
  ptrdiff_t count = high - low;
  if (low + count != high || (char *)high - (char *)low != count * 6) return 100;
  struct triple *middle = low + count / 2;
  for (struct triple *at = low; at < high; at++) at->b = 1;
  if (middle < high) return each((int)(middle - all) + 20 * middle->b + 40 * swapped);
  return each(middle == all + 11 ? 90 : 91);
}
