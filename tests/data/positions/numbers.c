// Numbers of descriptors, commands, flags, signals and processes: what makes no difference is one path.
#define ALONE 1
#include "oracle.h"
#include <signal.h>
#include <sys/wait.h>
#include <time.h>

static int seen;
static void handle(int number) { seen = number; }

int outcome(unsigned char a, unsigned char b) {
  int wide = (signed char)a * 1000003, file = open(NAME, O_RDONLY), status;
  struct timespec now;
  seen = 0;
  if (file != 3) return 255;
  switch (b & 15) {
  case 0: return close(wide) ? failed() : 10;
  case 1: return dup2(3, (signed char)a >> 3) < 0 ? failed() : 10 + (a >> 3);
  case 2: return dup2(a >> 3, 5) < 0 ? failed() : 10;
  case 3: return fcntl(3, a, 0) < 0 ? failed() : 11;
  case 4: return fcntl(a >> 4, F_GETFD) < 0 ? failed() : 12;
  case 5: return open("new", a & 1 ? O_CREAT | O_WRONLY : a & 2 ? O_RDWR : O_PATH, 0600) < 0 ? failed() : 13;
  case 6: return open(NAME, (a & 192) | (a & 3), 0600) < 0 ? failed() : 14;
  case 7:
    signal(SIGUSR1, handle);
    return kill(getpid(), a == SIGUSR1 ? SIGUSR1 : a & 128 ? a : 0) ? failed() : 15 + seen;
  case 8: return waitpid((signed char)a, &status, 0) < 0 ? failed() : 40;
  case 9: return sigprocmask(a, 0, 0) < 0 ? failed() : 41;
  case 10: return clock_gettime(wide, &now) < 0 ? failed() : 42;
  case 11: return access(NAME, a) < 0 ? failed() : 43;
  case 12: return umask(a * 2) == 022 && umask(0) == (a * 2 & 0777) ? 44 : 45;
  case 13: return lseek(3, 1, wide) < 0 ? failed() : 46;
  default: return read(a & 7, &status, 1) < 0 ? failed() : 47;
  }
}
