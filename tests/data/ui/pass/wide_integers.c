// expect: exits 6
// expect: statuses 0 1 2 3 4 5
// Arithmetic, comparisons, shifts and a switch on symbolic numbers of more than 128 bits.
#include "klee/klee.h"

typedef unsigned _BitInt(256) number;

int main(void) {
  struct { number x; unsigned _BitInt(200) y; unsigned char n; } in;
  klee_make_symbolic(&in, sizeof in, "in");
  number x = in.x;
  number one = 1;
  if (x + ((one << 200) - 1) < x) // only the largest ones wrap
    return x >> 200 == (one << 56) - 1 ? 0 : 9;
  if (in.y == 77)
    return 1;
  if ((_BitInt(256))x < 0) {
    if ((x ^ (one << 255)) >> 255)
      return 9;
    return 2;
  }
  switch (x & ~(number)0xff) {
  case (number)5 << 190:
    return 3;
  case 0:
    if ((x << in.n % 200) >> in.n % 200 != x)
      return 9; // nothing is shifted out
    return 4;
  }
  return x * 3 - x == x << 1 ? 5 : 9;
}
