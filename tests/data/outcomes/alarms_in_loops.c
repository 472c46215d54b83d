// Alarms and interval timers that end loops without calls.
// input: 1
#include "outcome.h"
#include <setjmp.h>
#include <signal.h>
#include <sys/time.h>

static volatile sig_atomic_t rang, beats;
static sigjmp_buf out;
static void ring(int number) { rang = number; }
static void beat(int number) { beats++; }
static void leave(int number) { siglongjmp(out, 1); }

int main(void) {
  unsigned char in;
  volatile unsigned long turns = 0;
  take(&in, 1);
  if (in < 10) {
    signal(SIGALRM, ring);
    alarm(1);
    while (!rang) turns++;
    return rang == SIGALRM ? 1 : 91;
  }
  if (in < 20) {
    struct itimerval every = {{0, 10000}, {0, 10000}};
    signal(SIGALRM, beat);
    if (setitimer(ITIMER_REAL, &every, 0)) return 92;
    while (beats < 3) turns++;
    return 2;
  }
  if (in < 30) {
    struct itimerval once = {{0, 0}, {0, 5000}};
    signal(SIGVTALRM, ring);
    setitimer(ITIMER_VIRTUAL, &once, 0);
    while (!rang) turns++;
    return rang == SIGVTALRM ? 3 : 93;
  }
  if (in < 40) {
    signal(SIGALRM, leave);
    if (sigsetjmp(out, 1)) return 4;
    ualarm(2000, 0);
    for (;;) turns++;
  }
  alarm(100);
  for (int i = 0; i < 1000; i++) turns += in;
  return alarm(0) > 90 ? 5 : 94;
}
