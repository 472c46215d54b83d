/* Handlers, masks, pending signals, timers, jumps out of a handler. */
#include <setjmp.h>
#include <signal.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "show.h"

static volatile int last, count;
static sigjmp_buf place;
static jmp_buf plain;

static void note(int number) {
  last = number;
  count++;
}

static void with_information(int number, siginfo_t *information, void *context) {
  printf("signal %d, in information %d, context %d\n", number, information->si_signo, context != NULL);
}

static void leave(int number) { siglongjmp(place, number); }

static void depth(int n) {
  if (n == 0) longjmp(plain, 5);
  depth(n - 1);
}

int main(void) {
  struct sigaction action, old;
  sigset_t set, before;
  memset(&action, 0, sizeof action);
  action.sa_handler = note;
  CALL(sigaction(SIGUSR1, &action, &old));
  SHOW(old.sa_handler == SIG_DFL);
  CALL(sigaction(SIGKILL, &action, NULL));
  CALL(sigaction(99, &action, NULL));
  CALL(raise(SIGUSR1));
  SHOW(last);
  CALL(kill(getpid(), SIGUSR1));
  SHOW(count);
  sigemptyset(&set);
  sigaddset(&set, SIGUSR1);
  CALL(sigprocmask(SIG_BLOCK, &set, &before));
  SHOW(sigismember(&before, SIGUSR1));
  raise(SIGUSR1);
  raise(SIGUSR1);
  SHOW(count);
  CALL(sigpending(&before));
  SHOW(sigismember(&before, SIGUSR1));
  SHOW(sigismember(&before, SIGUSR2));
  CALL(sigprocmask(SIG_UNBLOCK, &set, NULL));
  SHOW(count);
  CALL(sigprocmask(77, &set, NULL));
  sigaddset(&set, SIGUSR2);
  sigprocmask(SIG_BLOCK, &set, NULL);
  raise(SIGUSR2);
  struct timespec none = {0, 0};
  CALL(sigtimedwait(&set, NULL, &none));
  CALL(sigtimedwait(&set, NULL, &none));
  sigprocmask(SIG_UNBLOCK, &set, NULL);

  action.sa_sigaction = with_information;
  action.sa_flags = SA_SIGINFO | SA_RESETHAND;
  CALL(sigaction(SIGUSR2, &action, NULL));
  raise(SIGUSR2);
  CALL(sigaction(SIGUSR2, NULL, &old));
  SHOW(old.sa_handler == SIG_DFL);

  SHOW(signal(SIGCHLD, note) == SIG_DFL);
  SHOW(signal(SIGCHLD, SIG_IGN) == note);
  raise(SIGCHLD);
  SHOW(last == SIGCHLD);

  signal(SIGTERM, leave);
  int number = sigsetjmp(place, 1);
  if (number == 0) {
    raise(SIGTERM);
    printf("never\n");
  }
  SHOW(number);
  number = setjmp(plain);
  if (number == 0) depth(20);
  SHOW(number);

  signal(SIGALRM, note);
  SHOW(alarm(10));
  SHOW(alarm(0));
  alarm(1);
  CALL(pause());
  SHOW(last == SIGALRM);
  struct itimerval timer = {{0, 0}, {0, 1000}}, rest;
  CALL(setitimer(ITIMER_REAL, &timer, NULL));
  CALL(usleep(500000));
  CALL(getitimer(ITIMER_REAL, &rest));
  SHOW(rest.it_value.tv_usec);
  timer.it_value.tv_usec = 2000000;
  CALL(setitimer(ITIMER_REAL, &timer, NULL));
  sigemptyset(&set);
  sigprocmask(SIG_SETMASK, &set, NULL);
  alarm(1);
  CALL(sigsuspend(&set));
  CALL(kill(getpid(), 0));
  SHOW_TEXT(strsignal(SIGSEGV));
  fflush(stdout);
  signal(SIGABRT, SIG_IGN);
  raise(SIGABRT);
  printf("still here\n");
  return 3;
}
