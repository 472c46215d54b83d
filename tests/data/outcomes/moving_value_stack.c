// The value stack of an interpreter moves when it grows; pointers into it are corrected.
// input: 3
// alphabet: 00 01 02 03 04 05
#include "outcome.h"
#include <stdlib.h>

enum tag { NIL, NUMBER, BLOCK, OPEN };
struct value {
  enum tag tag;
  union {
    long number;
    struct value *at;
    void *block;
  } as;
};
struct machine {
  struct value *stack, *top, *last, *open;
  int moves;
};

static void need(struct machine *m, int slots) {
  if (m->last - m->top >= slots) return;
  struct value *old = m->stack;
  size_t size = (size_t)(m->last - old) * 2 + slots, used = m->top - old;
  struct value *moved = malloc(size * sizeof *moved);
  if (!moved) _exit(249);
  for (size_t i = 0; i < used; i++) {
    moved[i] = old[i];
    if (old[i].tag == OPEN) moved[i].as.at = moved + (old[i].as.at - old);
  }
  if (m->open) m->open = moved + (m->open - old);
  m->stack = moved;
  m->top = moved + used;
  m->last = moved + size;
  m->moves++;
  free(old);
}

static struct value *push(struct machine *m, enum tag tag) {
  need(m, 1);
  m->top->tag = tag;
  return m->top++;
}

int main(void) {
  struct machine m = {0};
  unsigned char in[3];
  take(in, sizeof in);
  m.stack = m.top = malloc(2 * sizeof *m.stack);
  if (!m.stack) return 249;
  m.last = m.stack + 2;
  push(&m, NUMBER)->as.number = 7;
  for (int i = 0; i < 3; i++) {
    switch (in[i]) {
    case 0: push(&m, NIL); break;
    case 1: push(&m, NUMBER)->as.number = 10 + i; break;
    case 2: push(&m, BLOCK)->as.block = &m; break;
    case 3:
      m.open = push(&m, OPEN);
      m.open->as.at = m.open - 1;
      break;
    case 4:
      if (m.top - m.stack > 1) m.top--;
      if (m.open == m.top) m.open = 0;
      break;
    default: return 90;
    }
  }
  if (m.open && m.open->tag == OPEN) {
    struct value *seen = m.open->as.at;
    return each(20 + (int)seen->tag * 20 + (seen->tag == NUMBER ? (int)seen->as.number : 0));
  }
  return each(m.moves + 10 * (int)m.top[-1].tag);
}
