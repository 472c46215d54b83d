// Blocks of powers of two: the neighbour to merge with is found by an exclusive-or of the offset.
// input: 3
// alphabet: 00 01 02 03 04 05 06 07
#include "outcome.h"
#include <stdint.h>
#include <stdlib.h>

enum { ORDERS = 4, LEAST = 16, ALL = LEAST << (ORDERS - 1) };
struct block {
  struct block *next;
  unsigned char order, is_free;
};
static char *arena;
static struct block *list[ORDERS];

static void push(struct block *block, int order) {
  block->order = order;
  block->is_free = 1;
  block->next = list[order];
  list[order] = block;
}
static void drop(struct block *block) {
  struct block **at = &list[block->order];
  while (*at != block) at = &(*at)->next;
  *at = block->next;
}
static struct block *get(int order) {
  int from = order;
  while (from < ORDERS && !list[from]) from++;
  if (from == ORDERS) return 0;
  struct block *block = list[from];
  drop(block);
  while (from > order) {
    from--;
    push((struct block *)((char *)block + (LEAST << from)), from);
  }
  block->order = order;
  block->is_free = 0;
  return block;
}
static void put(struct block *block) {
  int order = block->order;
  while (order < ORDERS - 1) {
    uintptr_t offset = (char *)block - arena;
    struct block *buddy = (struct block *)(arena + (offset ^ (uintptr_t)(LEAST << order)));
    if (!buddy->is_free || buddy->order != order) break;
    drop(buddy);
    if (buddy < block) block = buddy;
    order++;
  }
  push(block, order);
}

int main(void) {
  unsigned char in[3];
  struct block *got[3];
  take(in, sizeof in);
  if (!(arena = calloc(1, ALL))) return 249;
  push((struct block *)arena, ORDERS - 1);
  for (int i = 0; i < 3; i++) got[i] = get(i ? in[i - 1] & 1 : 0);
  unsigned gone = in[2] % 4;
  if (gone == 3) return each(20 + (got[2] ? (int)(((char *)got[2] - arena) / LEAST) : 9));
  if (!got[gone]) return 60;
  put(got[gone]);
  if (in[2] & 4 && got[(gone + 1) % 3]) put(got[(gone + 1) % 3]);
  int free_blocks = 0;
  for (int i = 0; i < ORDERS; i++)
    for (struct block *b = list[i]; b; b = b->next) free_blocks += 1 << (2 * i);
  return each(free_blocks & 127);
}
