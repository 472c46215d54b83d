// A handler that writes into a pipe which the loop polls.
// input: 1
#define _GNU_SOURCE
#include "outcome.h"
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>

static int ends[2];
static void tell(int number) {
  int saved = errno;
  char byte = (char)number;
  if (write(ends[1], &byte, 1) != 1) _exit(99);
  errno = saved;
}

int main(void) {
  unsigned char in;
  char byte = 0;
  take(&in, 1);
  if (pipe2(ends, O_NONBLOCK | O_CLOEXEC)) return 90;
  signal(SIGALRM, tell);
  signal(SIGHUP, tell);
  struct pollfd wait = {ends[0], POLLIN, 0};
  if (in < 80) raise(SIGHUP);
  else if (in < 160) ualarm(3000, 0);
  int ready = poll(&wait, 1, in < 160 ? 1000 : 5);
  if (ready == -1 && errno == EINTR) ready = poll(&wait, 1, 0);
  if (ready == 0) return read(ends[0], &byte, 1) == -1 && errno == EAGAIN ? 1 : 91;
  if (ready != 1 || !(wait.revents & POLLIN) || read(ends[0], &byte, 1) != 1) return 92;
  return byte == SIGHUP ? 2 : byte == SIGALRM ? 3 : 93;
}
