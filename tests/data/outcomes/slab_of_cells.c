// Cells of a slab: the free ones are linked through themselves, some are given back by number.
// input: 3
// alphabet: 00 01 02 03 04 05 06 07 08 80
#include "outcome.h"
#include <stdlib.h>

enum { CELLS = 8 };
union cell {
  union cell *next;
  struct {
    int owner, value;
  } used;
};
struct slab {
  union cell *free;
  unsigned char busy[CELLS];
  union cell cells[CELLS];
};

static union cell *get(struct slab *slab, int owner) {
  union cell *cell = slab->free;
  if (!cell) return 0;
  slab->free = cell->next;
  slab->busy[cell - slab->cells] = 1;
  cell->used.owner = owner;
  cell->used.value = owner * 3;
  return cell;
}

static int put(struct slab *slab, union cell *cell) {
  long number = cell - slab->cells;
  if (number < 0 || number >= CELLS) return 1;
  if (!slab->busy[number]) return 2;
  slab->busy[number] = 0;
  cell->next = slab->free;
  slab->free = cell;
  return 0;
}

int main(void) {
  unsigned char in[3];
  struct slab *slab = malloc(sizeof *slab);
  if (!slab) return 249;
  take(in, sizeof in);
  slab->free = 0;
  for (int i = CELLS - 1; i >= 0; i--) {
    slab->busy[i] = 0;
    slab->cells[i].next = slab->free;
    slab->free = &slab->cells[i];
  }
  for (int i = 0; i < 6; i++) get(slab, i + 1);
  for (int i = 0; i < 2; i++) {
    int wrong = put(slab, slab->cells + (signed char)in[i]);
    if (wrong) return each(60 + 10 * i + wrong);
  }
  union cell *one = get(slab, 20), *two = get(slab, 30), *three = get(slab, 40);
  if (!one || !two || !three || one == two) return 100;
  union cell *chosen = slab->cells + in[2] % CELLS;
  if (!slab->busy[in[2] % CELLS]) return 50;
  return each(chosen->used.owner);
}
