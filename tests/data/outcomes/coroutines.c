// Two coroutines with arguments that hand values to each other, and a context that is left.
// input: 2
// alphabet: 00 01 02 03
#include "outcome.h"
#include <stdlib.h>
#include <ucontext.h>

static ucontext_t main_context, left, right, leaver;
static int sum, turns;
static char stacks[3][16384];

static void walk(int step, int most) {
  for (int i = 0; i < most; i++) {
    int local[4] = {i, step, most, sum};
    sum += step;
    turns++;
    if (step == 1) swapcontext(&left, &right);
    else swapcontext(&right, &left);
    if (local[1] != step || local[0] != i) _exit(91);
  }
}
static void leave(void) { sum += 100; }
static void make(ucontext_t *context, char *stack, ucontext_t *link) {
  getcontext(context);
  context->uc_stack.ss_sp = stack;
  context->uc_stack.ss_size = sizeof stacks[0];
  context->uc_link = link;
}

int main(void) {
  unsigned char in[2];
  volatile int times = 0;
  take(in, 2);
  if (in[0] > 3 || in[1] > 3) return 90;
  make(&left, stacks[0], &main_context);
  make(&right, stacks[1], &main_context);
  make(&leaver, stacks[2], &main_context);
  makecontext(&left, (void (*)(void))walk, 2, 1, in[0]);
  makecontext(&right, (void (*)(void))walk, 2, 10, in[1]);
  makecontext(&leaver, leave, 0);
  swapcontext(&main_context, &left);
  swapcontext(&main_context, &leaver);
  ucontext_t again;
  getcontext(&again);
  if (times++ < 2) setcontext(&again);
  return each(sum % 64 + (times == 3 ? 64 : 0) + turns);
}
