// qsort and bsearch over pointers to records whose keys are input.
// input: 4
// alphabet: 00 01 02 03 04 05
#include "outcome.h"
#include <stdlib.h>

struct record {
  unsigned char key;
  int number;
};

static int compare(const void *a, const void *b) {
  const struct record *one = *(struct record *const *)a, *two = *(struct record *const *)b;
  if (one->key != two->key) return one->key < two->key ? -1 : 1;
  return one->number - two->number;
}
static int find(const void *key, const void *b) {
  const struct record *two = *(struct record *const *)b;
  return *(const unsigned char *)key - two->key;
}

int main(void) {
  struct record *list[3];
  unsigned char in[4];
  take(in, sizeof in);
  for (int i = 0; i < 3; i++) {
    if (!(list[i] = malloc(sizeof **list))) return 249;
    list[i]->key = in[i] & 3;
    list[i]->number = i + 1;
  }
  qsort(list, 3, sizeof *list, compare);
  for (int i = 0; i < 2; i++)
    if (list[i]->key > list[i + 1]->key) return 100;
  unsigned char key = in[3] & 3;
  struct record **found = bsearch(&key, list, 3, sizeof *list, find);
  if (!found) return 50;
  if ((*found)->key != key) return 101;
  return each(list[0]->number * 10 + (int)(found - list));
}
