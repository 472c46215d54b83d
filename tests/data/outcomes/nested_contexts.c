// Generators on stacks of their own that pass words, end in a link, and start others.
// input: 2
// alphabet: 00 01 02 03 04 05
#define _GNU_SOURCE
#include "outcome.h"
#include <signal.h>
#include <stdlib.h>
#include <ucontext.h>

struct generator {
  ucontext_t own, caller;
  int value, is_done;
  char stack[16384];
};

static void give(struct generator *self, int value) {
  self->value = value;
  swapcontext(&self->own, &self->caller);
}
static void count(unsigned low, unsigned high, int from, int to) {
  struct generator *self = (struct generator *)((unsigned long)high << 32 | low);
  for (int i = from; i < to; i++) give(self, i);
  self->is_done = 1;
}
static struct generator *start(int from, int to) {
  struct generator *new = calloc(1, sizeof *new);
  unsigned long word = (unsigned long)new;
  getcontext(&new->own);
  new->own.uc_stack.ss_sp = new->stack;
  new->own.uc_stack.ss_size = sizeof new->stack;
  new->own.uc_link = &new->caller;
  makecontext(&new->own, (void (*)(void))count, 4, (unsigned)word, (unsigned)(word >> 32), from, to);
  return new;
}
static int resume(struct generator *of) {
  if (of->is_done) return -1;
  swapcontext(&of->caller, &of->own);
  return of->is_done ? -1 : of->value;
}
static void zip(unsigned low, unsigned high, int from, int to) {
  struct generator *self = (struct generator *)((unsigned long)high << 32 | low);
  struct generator *a = start(from, to), *b = start(1, 3);
  for (int x, y; (x = resume(a)) >= 0 && (y = resume(b)) >= 0;) give(self, 10 * x + y);
  free(a), free(b);
  self->is_done = 1;
}

int main(void) {
  unsigned char in[2];
  int sum = 0, turns = 0;
  sigset_t set;
  take(in, 2);
  struct generator *all = start(in[0] & 3, in[1] & 3);
  if (in[0] & 4) {
    unsigned long word = (unsigned long)all;
    makecontext(&all->own, (void (*)(void))zip, 4, (unsigned)word, (unsigned)(word >> 32), in[0] & 3, in[1] & 3);
  }
  sigemptyset(&set);
  sigaddset(&set, SIGUSR1);
  sigprocmask(SIG_BLOCK, &set, 0);
  /* The mask is part of the context: the generator's has nothing blocked. */
  for (int value; (value = resume(all)) >= 0; turns++) sum += value;
  sigprocmask(SIG_BLOCK, 0, &set);
  if (!sigismember(&set, SIGUSR1)) return 249;
  return each(30 * turns + sum);
}
