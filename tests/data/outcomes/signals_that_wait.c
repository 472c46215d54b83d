// Blocked signals stay pending, and come when the mask allows it.
// input: 1
#define _GNU_SOURCE
#include "outcome.h"
#include <signal.h>

static volatile sig_atomic_t order[4], count;
static void note(int number) { order[count++ & 3] = number; }

int main(void) {
  unsigned char in;
  sigset_t block, old, pending;
  take(&in, 1);
  struct sigaction action = {.sa_handler = note};
  sigaction(SIGUSR1, &action, 0);
  sigaction(SIGUSR2, &action, 0);
  sigemptyset(&block);
  if (in & 1) sigaddset(&block, SIGUSR1);
  if (in & 2) sigaddset(&block, SIGUSR2);
  sigprocmask(SIG_BLOCK, &block, &old);
  raise(SIGUSR2);
  raise(SIGUSR1);
  raise(SIGUSR1);
  sigpending(&pending);
  int waiting = sigismember(&pending, SIGUSR1) + 2 * sigismember(&pending, SIGUSR2);
  if (waiting != (in & 3)) return 90;
  int before = count;
  if (in & 4 && waiting) sigsuspend(&old);
  else sigprocmask(SIG_SETMASK, &old, 0);
  return before * 10 + count + (order[0] == SIGUSR1 ? 0 : 50);
}
