// Signals in loops: counted, blocked for a while, nested by priority, ended by a jump, sent by the program to itself.
// input: 2
// alphabet: 00 01 02 03 04 05 06 07
#define _GNU_SOURCE
#include "outcome.h"
#include <errno.h>
#include <setjmp.h>
#include <signal.h>
#include <string.h>

static volatile sig_atomic_t count, depth, deepest, order;
static sigjmp_buf out;

static void counted(int signal) {
  if (++count > 5) siglongjmp(out, 1);
  if (++depth > deepest) deepest = depth;
  if (signal == SIGUSR1 && count < 3) raise(SIGUSR2);
  if (signal == SIGUSR1) raise(SIGUSR1);
  order = order * 3 + (signal == SIGUSR1 ? 1 : 2);
  depth--;
}
static void queued(int signal, siginfo_t *info, void *context) { order = order * 3 + info->si_value.sival_int; }

int main(void) {
  unsigned char in[2];
  sigset_t set, old;
  struct sigaction action;
  take(in, 2);
  memset(&action, 0, sizeof action);
  action.sa_handler = counted;
  if (in[0] & 4) action.sa_flags = SA_RESETHAND;
  if (sigaction(SIGUSR2, &action, 0)) return 90;
  if (!(in[0] & 1)) action.sa_flags |= SA_NODEFER;
  else action.sa_flags = 0;
  if (in[0] & 4) action.sa_flags = 0;
  if (sigaction(SIGUSR1, &action, 0)) return 91;
  sigemptyset(&set);
  sigaddset(&set, SIGUSR2);
  if (in[0] & 2) {
    struct sigaction real = {.sa_sigaction = queued, .sa_flags = SA_SIGINFO};
    sigaction(SIGRTMIN, &real, 0);
    sigaddset(&set, SIGRTMIN);
    sigprocmask(SIG_BLOCK, &set, &old);
    for (int i = 0; i < (in[1] & 3); i++) sigqueue(getpid(), SIGRTMIN, (union sigval){.sival_int = i & 1 ? 2 : 1});
    raise(SIGUSR2), raise(SIGUSR2);
    sigset_t pending;
    sigpending(&pending);
    if (!sigismember(&pending, SIGUSR2) || count) return 92;
    sigprocmask(SIG_SETMASK, &old, 0);
    /* Those below real-time signals come once. */
    return count != 1 ? 93 : 10 + order;
  }
  if (sigsetjmp(out, 1)) {
    sigprocmask(SIG_BLOCK, 0, &old);
    return sigismember(&old, SIGUSR1) ? 94 : 100 + deepest;
  }
  raise(in[1] & 1 ? SIGUSR1 : SIGUSR2);
  if (in[0] & 4 && in[1] & 2) raise(SIGUSR2);
  return 50 + count;
}
