// Checks in optimised code: bounds, sums of sizes, conversions, a null pointer.
// input: 3
// alphabet: 00 01 07 08 7f 80 ff
// flags: -fsanitize=undefined,integer,implicit-conversion
// bitcode: -O1
// undefined: overflow ptr implicit_truncation implicit_conversion
// report: Error: out-of-bounds-index
// report: Error: unsigned-integer-overflow
#include "outcome.h"

struct row {
  int cells[8];
  int after[248];
};
static struct row row;
__attribute__((noinline)) static int cell(const struct row *from, unsigned index) { return from->cells[index]; }
__attribute__((noinline)) static unsigned short total(unsigned count, unsigned size) {
  return (unsigned short)(count * size + 4000000000u);
}

int main(void) {
  unsigned char in[3];
  take(in, sizeof in);
  row.after[3] = 5;
  if (in[0] == 1) return total(in[1], 3000000u + in[2]) > 100 ? 1 : 2;
  if (in[0] == 8) return cell(&row, in[1] & 15) == 5 ? 3 : 4;
  signed char narrow = in[2];
  return narrow < 0 ? 5 : 6;
}
