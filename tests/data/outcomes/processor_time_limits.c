// Loops that a timer of the processor's time or of the clock ends, by a flag or by a jump, and what is left of it.
// input: 1
#define _GNU_SOURCE
#include "outcome.h"
#include <setjmp.h>
#include <signal.h>
#include <string.h>
#include <sys/time.h>

static volatile sig_atomic_t over;
static sigjmp_buf out;

static void set_flag(int signal) { over++; }
static void jump_out(int signal) { siglongjmp(out, signal == SIGALRM ? 2 : 1); }

int main(void) {
  unsigned char in;
  struct itimerval when = {{0, 0}, {0, 20000}}, none = {{0, 0}, {0, 0}}, left;
  volatile unsigned turns = 0;
  take(&in, 1);
  int which = in & 1 ? ITIMER_REAL : ITIMER_VIRTUAL;
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = in & 2 ? jump_out : set_flag;
  sigaction(in & 1 ? SIGALRM : SIGVTALRM, &action, 0);
  if (in & 4) when.it_interval.tv_usec = 20000;
  int how = sigsetjmp(out, 1);
  if (how) {
    if (getitimer(which, &left)) return 90;
    int is_set = left.it_value.tv_sec || left.it_value.tv_usec;
    return is_set == (in >> 2 & 1) ? 10 + how : 91;
  }
  if (setitimer(which, &when, 0)) return 92;
  int wanted = in & 4 ? 3 : 1;
  while (over < wanted) turns++;
  if (setitimer(which, &none, &left)) return 93;
  return turns == 0 ? 94 : 20 + wanted;
}
