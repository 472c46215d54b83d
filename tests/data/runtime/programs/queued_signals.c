/* Signals with values: queues of real-time signals, order, waiting with and without a time limit. */
#include <signal.h>
#include <time.h>
#include <unistd.h>

#include "show.h"

static void tell(int number, siginfo_t *information, void *context) {
  printf("signal %d code %d value %d from self %d\n", number - SIGRTMIN, information->si_code, information->si_value.sival_int,
         information->si_pid == getpid());
}

static void show_information(int number, const siginfo_t *information) {
  if (number < 0) printf("wait fails with %d\n", errno);
  else printf("waited for %d: number %d code %d value %d\n", number < SIGRTMIN ? number : number - SIGRTMIN + 100, information->si_signo == number,
              information->si_code, information->si_code == SI_QUEUE ? information->si_value.sival_int : 0);
}

int main(void) {
  struct sigaction action;
  sigset_t set, pending;
  siginfo_t information;
  struct timespec no_time = {0, 0}, bad_time = {0, -1}, short_time = {0, 1000000};
  memset(&action, 0, sizeof action);
  action.sa_sigaction = tell;
  action.sa_flags = SA_SIGINFO;
  SHOW(SIGRTMIN);
  SHOW(SIGRTMAX);
  for (int i = 0; i < 3; i++) CALL(sigaction(SIGRTMIN + i, &action, NULL));
  CALL(sigaction(SIGUSR1, &action, NULL));
  CALL(sigqueue(getpid(), SIGRTMIN, (union sigval){.sival_int = 5}));
  sigemptyset(&set);
  for (int i = 0; i < 3; i++) sigaddset(&set, SIGRTMIN + i);
  sigaddset(&set, SIGUSR1);
  CALL(sigprocmask(SIG_BLOCK, &set, NULL));
  for (int i = 0; i < 6; i++) CALL(sigqueue(getpid(), SIGRTMIN + 2 - i % 3, (union sigval){.sival_int = i}));
  CALL(sigqueue(getpid(), SIGUSR1, (union sigval){.sival_int = 77}));
  CALL(sigqueue(getpid(), SIGUSR1, (union sigval){.sival_int = 78}));
  CALL(sigpending(&pending));
  SHOW(sigismember(&pending, SIGRTMIN + 1));
  SHOW(sigismember(&pending, SIGUSR2));
  show_information(sigwaitinfo(&set, &information), &information);
  show_information(sigtimedwait(&set, &information, &no_time), &information);
  CALL(sigprocmask(SIG_UNBLOCK, &set, NULL));
  CALL(sigprocmask(SIG_BLOCK, &set, NULL));
  errno = 0;
  show_information(sigtimedwait(&set, &information, &no_time), &information);
  errno = 0;
  show_information(sigtimedwait(&set, &information, &short_time), &information);
  errno = 0;
  show_information(sigtimedwait(&set, &information, &bad_time), &information);
  raise(SIGRTMIN + 1);
  kill(getpid(), SIGRTMIN);
  show_information(sigwaitinfo(&set, &information), &information);
  show_information(sigwaitinfo(&set, NULL), &information);
  CALL(sigqueue(getpid(), 0, (union sigval){0}));
  CALL(sigqueue(getpid(), 65, (union sigval){0}));
  /* An alarm ends a wait for it. */
  sigemptyset(&set);
  sigaddset(&set, SIGALRM);
  sigprocmask(SIG_BLOCK, &set, NULL);
  alarm(1);
  int number = 0;
  SHOW(sigwait(&set, &number));
  SHOW(number == SIGALRM);
  /* Ignored signals do not wait. */
  signal(SIGUSR2, SIG_IGN);
  sigaddset(&set, SIGUSR2);
  sigprocmask(SIG_BLOCK, &set, NULL);
  sigpending(&pending);
  SHOW(sigismember(&pending, SIGALRM));
  return 0;
}
