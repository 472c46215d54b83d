// Vectors of integers are divided lane by lane; one lane that traps ends the process.
// input: 4
// alphabet: 00 01 02 03 80 ff
#include "outcome.h"
#include <limits.h>

typedef int four __attribute__((vector_size(16)));
typedef long two __attribute__((vector_size(16)));
typedef signed char sixteen __attribute__((vector_size(16)));

int main(void) {
  unsigned char in[4];
  take(in, sizeof in);
  int by = (signed char)in[1], other = (signed char)in[2];
  if (in[0] % 3 == 0) {
    four left = {100, INT_MIN + in[3] % 2, 7, INT_MIN + 1}, right = {3, by, other, by | 1};
    four rest = left % right;
    return each((rest[0] + rest[1] + rest[2] + rest[3]) & 7);
  }
  if (in[0] % 3 == 1) {
    two left = {LONG_MIN, 12}, right = {by, other};
    two result = left / right;
    return each(10 + (result[0] > 0) + 2 * (result[1] > 0));
  }
  sixteen left = {-128, 5}, right;
  for (int i = 0; i < 16; i++) right[i] = 1;
  right[0] = (signed char)in[1];
  right[5] = (signed char)in[2];
  sixteen result = left / right;
  return each(20 + (result[0] == -128) + 2 * (result[1] == 5));
}
