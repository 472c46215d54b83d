// A hash table with open addresses: removed entries stay in the way of searches.
// input: 4
// alphabet: 00 01 08 09 10 11 80 81 88 89
#include "outcome.h"

enum { SLOTS = 8, FREE = -1, GONE = -2 };
static int slots[SLOTS] = {FREE, FREE, FREE, FREE, FREE, FREE, FREE, FREE};
static int find(int key, int *place) {
  int first = -1;
  for (int step = 0; step < SLOTS; step++) {
    int at = (key + step) % SLOTS;
    if (slots[at] == key) return *place = at, step;
    if (slots[at] == GONE && first < 0) first = at;
    if (slots[at] == FREE) return *place = first < 0 ? at : first, -1;
  }
  return *place = first, -1;
}

int main(void) {
  unsigned char in[4];
  take(in, 4);
  int steps = 0, live = 0;
  for (int i = 0; i < 4; i++) {
    int key = in[i] & 0x11, place, found = find(key, &place);
    if (in[i] & 0x80) {
      if (found >= 0) slots[place] = GONE, live--;
      continue;
    }
    if (found >= 0) steps += found + 1;
    else slots[place] = key, live++;
  }
  return live * 20 + steps;
}
