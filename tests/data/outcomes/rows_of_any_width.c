// Arrays whose two dimensions are input, with a cell that may be outside.
// input: 4
// alphabet: 00 01 02 03 04 05 06 07
// sanitizer: address
#include "outcome.h"

static int sum(int rows, int columns, unsigned char cell[rows][columns]) {
  int total = 0;
  for (int i = 0; i < rows; i++) total += cell[i][columns - 1];
  return total;
}

int main(void) {
  unsigned char in[4];
  take(in, sizeof in);
  int rows = in[0] % 5 + 1, columns = in[1] % 6 + 1;
  unsigned char cell[rows][columns];
  for (int i = 0; i < rows; i++)
    for (int j = 0; j < columns; j++) cell[i][j] = i * columns + j;
  if (in[2] >= 8 || in[3] >= 8) return 50;
  if (sizeof cell != (size_t)rows * columns) return 51;
  cell[in[2]][in[3]] += 3;
  return each(sum(rows, columns, cell));
}
