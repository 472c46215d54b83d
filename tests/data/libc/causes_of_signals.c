/* psiginfo: all causes of signals whose details differ, and signals without a name. */
#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

int main(void) {
  static const int numbers[] = {SIGILL, SIGFPE, SIGSEGV, SIGBUS, SIGTRAP, SIGCHLD, SIGPOLL, SIGUSR1, 34, 35, 63, 64, 40, 33, 32, 0, -1};
  dup2(1, 2);
  for (unsigned i = 0; i < sizeof numbers / sizeof *numbers; i++) {
    siginfo_t information;
    memset(&information, 0, sizeof information);
    information.si_signo = numbers[i];
    for (information.si_code = -8; information.si_code < 11; information.si_code++) {
      information.si_pid = 5;
      information.si_uid = 7;
      information.si_status = 3;
      psiginfo(&information, information.si_code & 1 ? "told" : information.si_code & 2 ? "" : NULL);
    }
    memset(&information, 0, sizeof information);
    information.si_signo = numbers[i];
    information.si_code = SI_ASYNCNL;
    psiginfo(&information, NULL);
    information.si_code = SI_KERNEL;
    psiginfo(&information, NULL);
  }
  return 0;
}
