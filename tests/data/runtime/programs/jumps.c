/* Jumps and the signal mask: what sigsetjmp saves comes back, what setjmp does not save stays. */
#include <setjmp.h>
#include <signal.h>
#include <unistd.h>

#include "show.h"

static sigjmp_buf place;
static jmp_buf plain;
static volatile int seen;

static int is_blocked(int number) {
  sigset_t set;
  sigprocmask(SIG_BLOCK, NULL, &set);
  return sigismember(&set, number);
}

static void block(int how, int number) {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, number);
  sigprocmask(how, &set, NULL);
}

static void jump_out(int number) {
  printf("handler %d, blocked %d\n", number, is_blocked(number));
  siglongjmp(place, number);
}
static void jump_out_plainly(int number) { longjmp(plain, 7); }
static void note(int number) { seen = number; }

static void with(int saves) {
  volatile int rounds = 0;
  int value = sigsetjmp(place, saves);
  printf("saves %d: value %d round %d, USR1 %d USR2 %d\n", saves, value, rounds, is_blocked(SIGUSR1), is_blocked(SIGUSR2));
  if (rounds++ == 0) raise(SIGUSR1);
  else if (rounds++ == 2) {
    block(SIG_BLOCK, SIGUSR2);
    siglongjmp(place, 0);
  }
  block(SIG_UNBLOCK, SIGUSR1);
  block(SIG_UNBLOCK, SIGUSR2);
}

static void deep(int n) {
  if (n) deep(n - 1);
  else siglongjmp(place, 42);
}

int main(void) {
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = jump_out;
  sigaction(SIGUSR1, &action, NULL);
  with(1);
  with(0);

  /* A mask that was in force at the time of sigsetjmp. */
  block(SIG_BLOCK, SIGTERM);
  if (sigsetjmp(place, 1) == 0) {
    block(SIG_UNBLOCK, SIGTERM);
    SHOW(is_blocked(SIGTERM));
    deep(5);
  }
  SHOW(is_blocked(SIGTERM));
  block(SIG_UNBLOCK, SIGTERM);

  /* The jump lets a pending signal through. */
  action.sa_handler = note;
  sigaction(SIGUSR2, &action, NULL);
  if (sigsetjmp(place, -1) == 0) {
    block(SIG_BLOCK, SIGUSR2);
    raise(SIGUSR2);
    SHOW(seen);
    siglongjmp(place, 1);
  }
  SHOW(seen);

  /* setjmp does not save: the signal of the handler stays blocked. */
  action.sa_handler = jump_out_plainly;
  sigaction(SIGUSR2, &action, NULL);
  int value = setjmp(plain);
  SHOW(value);
  SHOW(is_blocked(SIGUSR2));
  if (value == 0) raise(SIGUSR2);
  /* One buffer, used again. */
  for (volatile int i = 0; i < 3; i++) {
    int again = sigsetjmp(place, i & 1);
    if (!again) {
      block(SIG_BLOCK, SIGHUP);
      siglongjmp(place, i + 10);
    }
    printf("%d %d %d\n", i, again, is_blocked(SIGHUP));
    block(SIG_UNBLOCK, SIGHUP);
  }
  return 0;
}
