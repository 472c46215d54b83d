// A calculator that guards against zero only: the least number by minus one traps as well.
// input: 9
// alphabet: 25 2f 3d 00 80 ff 01 7f
#include "outcome.h"
#include <string.h>

int main(void) {
  unsigned char in[9];
  int left, right;
  take(in, sizeof in);
  memcpy(&left, in + 1, 4);
  memcpy(&right, in + 5, 4);
  if (in[0] == '=') {
    /* So that random inputs meet what is rare. */
    left = -2147483647 - (in[1] & 1);
    right = (in[2] & 3) - 1;
    in[0] = in[3] & 1 ? '%' : '/';
  }
  if (right == 0) return 5;
  if (in[0] == '%') return each(left % right == 0 ? 0 : 1);
  if (in[0] == '/') {
    int quotient = left / right;
    if (quotient > 0) return 2;
    return 3;
  }
  return 4;
}
