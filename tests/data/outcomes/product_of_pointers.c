// Pointers by arithmetic that is linear in the input: products, sums of differences, shifts.
// input: 2
// alphabet: 00 01 02 03 04 05 06 07 08 0b 0c
#include "outcome.h"
#include <stdint.h>
#include <stdlib.h>

struct item {
  int value, other;
  long more;
};

int main(void) {
  struct item *block[3];
  static struct item fixed[12];
  unsigned char in[2];
  take(in, sizeof in);
  for (int i = 0; i < 3; i++) {
    if (!(block[i] = calloc(4, sizeof **block))) return 249;
    for (int j = 0; j < 4; j++) block[i][j].value = 4 * i + j;
  }
  for (int i = 0; i < 12; i++) fixed[i].value = 20 + i;
  uintptr_t x = in[0] % 3, y = in[1] & 3;
  uintptr_t second = (uintptr_t)block[1] - (uintptr_t)block[0];
  uintptr_t third = (uintptr_t)block[2] - (uintptr_t)block[1];
  /* x of the three blocks, by adding the distances as often as x says. */
  uintptr_t by_sum = (uintptr_t)block[0] + second * (x > 0) + third * (x > 1);
  struct item *one = (struct item *)(by_sum + sizeof(struct item) * y);
  /* The same by a polynomial that is 0 or 1 at each x. */
  uintptr_t by_product = (uintptr_t)block[0] * ((x - 1) * (x - 2) / 2) +
                         (uintptr_t)block[1] * (x * (2 - x)) +
                         (uintptr_t)block[2] * (x * (x - 1) / 2);
  if ((struct item *)by_product != block[x]) return 100;
  struct item *two = (struct item *)(by_product + (y << 4));
  struct item *three = (struct item *)((uintptr_t)fixed + (in[1] % 12) * 16);
  if (in[0] & 128) return each(three->value);
  two->other = 5;
  return each(one->value + one->other);
}
