// Forty records on the heap, one of which is wrong; the handle is input.
// input: 1
#include "outcome.h"
#include <assert.h>
#include <stdlib.h>

struct record {
  int value;
  unsigned char seen;
};

int main(void) {
  struct record *record[40];
  unsigned char handle;
  for (int i = 0; i < 40; i++) {
    if (!(record[i] = malloc(sizeof **record))) return 249;
    record[i]->value = (i * 17 + 3) % 101;
    record[i]->seen = 0;
  }
  take(&handle, 1);
  if (handle >= 80) return 1;
  if (handle >= 40) return each(record[handle - 40]->value % 7 + 10);
  record[handle]->seen = 1;
  assert(record[handle]->value != 26);
  return 0;
}
