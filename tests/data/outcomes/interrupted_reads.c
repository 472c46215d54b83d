// Reads and waits that signals interrupt, retried or given up, with SA_RESTART and without.
// input: 1
#define _GNU_SOURCE
#include "outcome.h"
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/time.h>
#include <time.h>

static int ends[2];
static volatile sig_atomic_t alarms;

static void on_alarm(int signal) {
  alarms++;
  if (alarms == 3) (void)!write(ends[1], "x", 1);
}

int main(void) {
  unsigned char in, byte;
  take(&in, 1);
  struct sigaction action = {.sa_handler = on_alarm, .sa_flags = in & 1 ? SA_RESTART : 0};
  if (pipe(ends) || sigaction(SIGALRM, &action, 0)) return 90;
  struct itimerval every = {{0, 2000}, {0, 2000}};
  if (setitimer(ITIMER_REAL, &every, 0)) return 91;
  int retries = 0;
  ssize_t got;
  if (in & 2) {
    got = TEMP_FAILURE_RETRY(read(ends[0], &byte, 1));
    return got == 1 && byte == 'x' && alarms >= 3 ? 1 : 92;
  }
  while ((got = read(ends[0], &byte, 1)) == -1) {
    if (errno != EINTR) return 93;
    if (++retries == 1 && in & 4) {
      struct timespec pause = {1, 0}, left;
      /* Interrupted by the next alarm. What is left may be more than the pause by the slack of
       * the kernel's timers if that alarm comes at once. */
      return nanosleep(&pause, &left) == -1 && errno == EINTR && left.tv_sec <= 1 ? 2 : 94;
    }
  }
  return in & 1 ? (retries == 0 ? 3 : 95) : retries >= 1 ? 4 : 96;
}
