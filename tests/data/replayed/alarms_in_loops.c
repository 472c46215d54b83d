// Alarms and timers that go off in loops without calls: once, again and again, by CPU time, and with a jump out of the
// handler. A loop that ends by itself is not interrupted.
// run: --sym-stdin 1
// statuses: 2 10 20 30 40 50 60
// signals: SIGALRM
#include <setjmp.h>
#include <signal.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static volatile sig_atomic_t rang;
static sigjmp_buf out;

static void ring(int number) {
  (void)number;
  rang++;
}

static void leave(int number) {
  (void)number;
  siglongjmp(out, 1);
}

static void set_interval(int which, int number, void (*handler)(int)) {
  struct itimerval value = {{0, 50000}, {0, 100000}};
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = handler;
  sigaction(number, &action, 0);
  setitimer(which, &value, 0);
}

static int wait_for_rings(int count) {
  volatile unsigned turns = 0;
  while (rang < count) turns++;
  return rang == count ? 0 : 1;
}

static int with_timer(void) {
  struct itimerspec value = {{0, 0}, {0, 200000000}};
  struct sigevent event;
  timer_t timer;
  memset(&event, 0, sizeof event);
  event.sigev_notify = SIGEV_SIGNAL;
  event.sigev_signo = SIGUSR1;
  signal(SIGUSR1, ring);
  if (timer_create(CLOCK_MONOTONIC, &event, &timer)) return 9;
  if (timer_settime(timer, 0, &value, 0)) return 9;
  return wait_for_rings(1);
}

int main(void) {
  unsigned char kind;
  volatile unsigned turns = 0;
  if (read(0, &kind, 1) != 1) return 2;
  switch (kind) {
  case 'a':
    signal(SIGALRM, ring);
    alarm(1);
    return 10 + wait_for_rings(1);
  case 'd': /* nobody handles it */
    set_interval(ITIMER_REAL, SIGALRM, SIG_DFL);
    for (;;) turns++;
  case 'i':
    set_interval(ITIMER_REAL, SIGALRM, ring);
    return 20 + wait_for_rings(3);
  case 'v':
    set_interval(ITIMER_VIRTUAL, SIGVTALRM, ring);
    return 30 + wait_for_rings(2);
  case 'j':
    if (sigsetjmp(out, 1)) return 40;
    set_interval(ITIMER_REAL, SIGALRM, leave);
    for (;;) turns++;
  case 't':
    return 50 + with_timer();
  case 'n': /* over long before a second has passed */
    signal(SIGALRM, ring);
    alarm(5);
    while (turns < 300000) turns++;
    alarm(0);
    return 60 + rang;
  default:
    return 2;
  }
}
