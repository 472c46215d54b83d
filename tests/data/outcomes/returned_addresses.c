// Addresses that functions return: of globals, heap, arguments, and of locals that are gone.
// input: 3
// alphabet: 00 01 02 03 04 05 06 07
#include "outcome.h"
#include <stdint.h>
#include <stdlib.h>

static int global[4];
static int *heap;

__attribute__((noinline)) static int *choose(int how, int *callers) {
  static int kept[2];
  switch (how & 7) {
  case 0: return &global[0];
  case 1: return &global[3];
  case 2: return kept;
  case 3: return heap;
  case 4: return heap + 3;
  case 5: return callers;
  case 6: return 0;
  default: return kept + 1;
  }
}

__attribute__((noinline)) static uintptr_t gone(int word) {
  int mine = word;
  return (uintptr_t)&mine;
}

int main(void) {
  unsigned char in[3];
  int mine[2] = {5, 6};
  take(in, sizeof in);
  if (!(heap = calloc(4, sizeof *heap))) return 249;
  int *one = choose(in[0], mine), *two = choose(in[1], mine + 1);
  if (one && two && one != two) {
    *one = 3;
    *two = 4;
    if (*one != 3) return 100;
  }
  if (gone(1) >= (uintptr_t)&mine) return 61;
  if (one == two) return each(50 + (in[0] & 7));
  return each((global[0] + global[3] + heap[0] + heap[3] + mine[0] + mine[1]) & 31);
}
