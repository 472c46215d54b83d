// Handlers on stacks of their own, what sigaltstack says there, and jumps back from them.
// input: 1
#define _GNU_SOURCE
#include "outcome.h"
#include <errno.h>
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>

static char *stack;
static volatile int runs, was_on;
static sigjmp_buf out;

static void on_signal(int signal) {
  stack_t now;
  sigaltstack(0, &now);
  was_on = (now.ss_flags & SS_ONSTACK) != 0;
  runs++;
  if (signal == SIGUSR2) siglongjmp(out, 3);
}

int main(void) {
  unsigned char in;
  stack_t own = {0}, old;
  take(&in, 1);
  stack = malloc(65536);
  own.ss_sp = stack;
  own.ss_size = in & 1 ? 100 : 65536;
  if (sigaltstack(&own, 0)) return errno == ENOMEM ? 1 : 90;
  struct sigaction action = {.sa_handler = on_signal, .sa_flags = in & 2 ? SA_ONSTACK : 0};
  sigaction(SIGUSR1, &action, 0);
  sigaction(SIGUSR2, &action, 0);
  int jumped = sigsetjmp(out, 1);
  if (jumped) return 20 + jumped + 10 * was_on;
  raise(SIGUSR1);
  if (was_on != (in >> 1 & 1)) return 91;
  if (in & 4) raise(SIGUSR2);
  own.ss_flags = SS_DISABLE;
  if (sigaltstack(&own, &old) || old.ss_sp != stack || old.ss_flags) return 92;
  if (sigaltstack(0, &old) || old.ss_flags != SS_DISABLE) return 93;
  return 2 + was_on;
}
