// abort and failed assertions of programs that handle SIGABRT: the handler jumps out, ends the program or returns.
// input: 1
#include "outcome.h"
#include <assert.h>
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>

static sigjmp_buf out;

static void jump(int number) { siglongjmp(out, number); }
static void leave(int number) { _exit(40 + number); }

static void handle(int way) {
  struct sigaction once = {.sa_handler = jump, .sa_flags = SA_RESETHAND};
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGABRT);
  if (way >= 4) sigprocmask(SIG_BLOCK, &set, 0);
  if ((way & 3) == 0) signal(SIGABRT, jump);
  if ((way & 3) == 1) signal(SIGABRT, leave);
  if ((way & 3) == 2) sigaction(SIGABRT, &once, 0);
  if ((way & 3) == 3) signal(SIGABRT, leave), signal(SIGABRT, SIG_DFL);
}

int main(void) {
  unsigned char in;
  take(&in, 1);
  if (in >= 16) return 1;
  handle(in & 7);
  if ((in & 3) == 3) return 2;
  int jumped = sigsetjmp(out, 1);
  if (jumped) return each(20 + jumped + in);
  if (in & 8) assert(in == 7);
  abort();
}
