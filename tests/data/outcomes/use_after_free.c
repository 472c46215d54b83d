// One of many records is freed; the input says which one is used afterwards and how.
// input: 2
// alphabet: 00 01 02 03 04 05 06 07 08 10 18
// sanitizer: address
#include "outcome.h"
#include <stdlib.h>

struct record {
  int value;
  struct record *other;
};

int main(void) {
  struct record *record[5];
  unsigned char in[2];
  take(in, sizeof in);
  for (int i = 0; i < 5; i++) {
    if (!(record[i] = malloc(sizeof **record))) return 249;
    record[i]->value = i;
    record[i]->other = i ? record[i - 1] : 0;
  }
  unsigned gone = in[0] % 5, used = in[1] % 5;
  free(record[gone]);
  switch (in[1] >> 6) {
  case 0: return each(record[used]->value);
  case 1: record[used]->value = 40; return 30;
  case 2: return each(used && record[used]->other->value == 2 ? 31 : 32);
  default: free(record[used]); return 33;
  }
}
