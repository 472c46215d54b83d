// A parent that waits for SIGCHLD by each call that can, as shells do, before it asks for the child's status.
// run: --sym-stdin 1
// statuses: 1 2 3 4 5 9 60
#define _GNU_SOURCE
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static volatile int told;

static void on_child(int number) { told += number == SIGCHLD; }

static int wait_by(char how, const sigset_t *open, const sigset_t *children) {
  struct timespec limit = {5, 0};
  int number = 0;
  switch (how) {
  case 's': while (!told) sigsuspend(open); return 1;
  case 'w': return sigwait(children, &number) == 0 && number == SIGCHLD ? 2 : 80;
  case 't': return sigtimedwait(children, 0, &limit) == SIGCHLD ? 3 : 81;
  case 'p': return ppoll(0, 0, &limit, open) == -1 && errno == EINTR && told ? 4 : 82;
  case 'n':
    sigprocmask(SIG_SETMASK, open, 0);
    return nanosleep(&limit, 0) == -1 && errno == EINTR && told ? 5 : 83;
  default: return 9;
  }
}

int main(void) {
  struct sigaction action = {.sa_handler = on_child};
  sigset_t open, children;
  char how;
  int result, status = 0;
  if (read(0, &how, 1) != 1) return 84;
  sigaction(SIGCHLD, &action, 0);
  sigemptyset(&children);
  sigaddset(&children, SIGCHLD);
  sigprocmask(SIG_BLOCK, &children, &open);
  pid_t child = fork();
  if (child == 0) return 60;
  result = wait_by(how, &open, &children);
  if (result >= 80) return result;
  return waitpid(child, &status, 0) == child ? result : 85;
}
