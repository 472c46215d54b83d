// Timers that are waited for: sigtimedwait, sigwait, an expiry count.
// input: 1
#define _GNU_SOURCE
#include "outcome.h"
#include <errno.h>
#include <signal.h>
#include <time.h>

int main(void) {
  unsigned char in;
  sigset_t set;
  timer_t timer;
  struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGRTMIN, .sigev_value.sival_int = 42};
  struct timespec most = {0, 50000000}, none = {0, 0};
  siginfo_t info;
  take(&in, 1);
  sigemptyset(&set);
  sigaddset(&set, SIGRTMIN);
  sigprocmask(SIG_BLOCK, &set, 0);
  if (in < 64) return sigtimedwait(&set, &info, &none) == -1 && errno == EAGAIN ? 1 : 90;
  if (timer_create(CLOCK_MONOTONIC, &event, &timer)) return 91;
  struct itimerspec when = {{0, 0}, {0, in < 128 ? 1000000 : 900000000}};
  if (timer_settime(timer, 0, &when, 0)) return 92;
  int got = sigtimedwait(&set, &info, &most);
  if (got == -1) return errno == EAGAIN ? 2 : 93;
  return info.si_value.sival_int == 42 && info.si_code == SI_TIMER ? 3 : 94;
}
