// Descriptors until there are no more, and the numbers that are given again.
// input: 1
#define _GNU_SOURCE
#include "outcome.h"
#include <errno.h>
#include <fcntl.h>
#include <sys/resource.h>

int main(void) {
  unsigned char in;
  struct rlimit limit;
  take(&in, 1);
  for (int i = 3; i < 40; i++) close(i);
  if (getrlimit(RLIMIT_NOFILE, &limit)) return 90;
  limit.rlim_cur = 5 + (in & 3);
  if (setrlimit(RLIMIT_NOFILE, &limit)) return 91;
  int opened = 0, last = -1, next;
  while ((next = dup(0)) >= 0) last = next, opened++;
  if (errno != EMFILE) return 92;
  if (in & 4) {
    close(3);
    if (fcntl(0, F_DUPFD, 0) != 3) return 93;
  }
  return opened * 10 + last;
}
