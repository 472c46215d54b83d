// Pipes that break, are full or empty, ends that do not block, and children that there are not.
// input: 1
#define _GNU_SOURCE
#include "outcome.h"
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>

static volatile int broken;
static void on_pipe(int signal) { broken++; }

int main(void) {
  unsigned char in;
  int ends[2], status;
  char buffer[4096];
  take(&in, 1);
  if (pipe2(ends, O_NONBLOCK)) return 90;
  switch (in % 5) {
  case 0:
    if (read(ends[0], buffer, 1) != -1 || errno != EAGAIN) return 91;
    return write(ends[1], "ab", 2) == 2 && read(ends[0], buffer, 10) == 2 ? 1 : 92;
  case 1:
    signal(SIGPIPE, in & 8 ? SIG_IGN : on_pipe);
    close(ends[0]);
    if (write(ends[1], "x", 1) != -1 || errno != EPIPE) return 93;
    return 2 + broken;
  case 2:
    close(ends[0]);
    return (int)write(ends[1], "x", 1);
  case 3: { /* Full. */
    long total = 0, more;
    while ((more = write(ends[1], buffer, sizeof buffer)) > 0) total += more;
    if (errno != EAGAIN || total != fcntl(ends[1], F_GETPIPE_SZ)) return 94;
    return total == 65536 ? 4 : 95;
  }
  default:
    return waitpid(-1, &status, 0) == -1 && errno == ECHILD ? 11 : 100;
  }
}
