// A hash table whose buckets hold either an entry or, with the lowest bit set, a chain of entries.
// input: 4
// alphabet: 00 01 02 03 10 11 20 21 61 62
#include "outcome.h"
#include <stdint.h>
#include <stdlib.h>

struct entry {
  struct entry *next;
  unsigned char key, value;
};
enum { BUCKETS = 16 };
static uintptr_t bucket[BUCKETS];

static struct entry *first(uintptr_t word) { return (struct entry *)(word & ~(uintptr_t)1); }

static void insert(unsigned char key, unsigned char value) {
  struct entry *entry = malloc(sizeof *entry);
  uintptr_t *place = &bucket[key % BUCKETS];
  if (!entry) _exit(249);
  entry->key = key;
  entry->value = value;
  entry->next = first(*place);
  *place = (uintptr_t)entry | (*place != 0);
}

static int look_up(unsigned char key) {
  uintptr_t word = bucket[key % BUCKETS];
  if (!word) return 1;
  for (struct entry *entry = first(word); entry; entry = entry->next)
    if (entry->key == key) return entry->value + ((word & 1) ? 100 : 0);
  return (word & 1) ? 2 : 3;
}

int main(void) {
  unsigned char in[4];
  take(in, sizeof in);
  for (int i = 0; i < 12; i += 2) insert(i * 3, 10 + i);
  insert(in[0], 40);
  insert(in[1], 41);
  if (in[2] == in[0] && in[2] == in[1]) return each(look_up(in[2]) + 50);
  return each(look_up(in[3]));
}
