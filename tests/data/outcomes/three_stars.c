// Tables of tables: three loads whose addresses depend on the input, with holes on the way.
// input: 3
// alphabet: 00 01 02 03 04
#include "outcome.h"
#include <stdlib.h>

int main(void) {
  unsigned char in[3];
  int ***page = calloc(4, sizeof *page);
  take(in, sizeof in);
  if (!page) return 249;
  for (int i = 0; i < 4; i++) {
    if (i == 2) continue;
    if (!(page[i] = calloc(4, sizeof **page))) return 249;
    for (int j = 0; j < 4; j++) {
      if (i == j) continue;
      if (!(page[i][j] = calloc(2, sizeof ***page))) return 249;
      page[i][j][0] = i * 4 + j;
    }
  }
  unsigned i = in[0] & 3, j = in[1] & 3;
  if (in[2] == 1 && !page[i]) return 30;
  if (in[2] == 2 && page[i] == page[j]) return 31;
  page[i][j][1] = 9;
  if (page[0][1][1]) return 32;
  return each(*page[i][j]);
}
