// System calls with pointers to pages that are not there or may not be written to.
// input: 1
#define _GNU_SOURCE
#include "outcome.h"
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <sys/utsname.h>
#include <time.h>

/* A call that must say EFAULT. */
#define FAULTS(number, call)                                                                       \
  do {                                                                                             \
    errno = 0;                                                                                     \
    if ((call) != -1) return 100 + number;                                                         \
    if (errno != EFAULT) return 150 + number;                                                      \
  } while (0)

int main(void) {
  unsigned char in;
  int ends[2];
  long page = sysconf(_SC_PAGESIZE);
  take(&in, 1);
  char *pages = mmap(0, 4 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (pages == MAP_FAILED || pipe(ends)) return 90;
  char *fixed = pages + page, *guard = pages + 2 * page, *gone = pages + 3 * page;
  memset(fixed, 'x', page);
  if (mprotect(fixed, page, PROT_READ) || mprotect(guard, page, PROT_NONE) || munmap(gone, page)) return 91;
  char *bad = in & 1 ? guard : in & 2 ? gone : (char *)0;
  switch (in % 10) {
  case 0:
    FAULTS(0, write(ends[1], bad, 1));
    FAULTS(1, write(ends[1], bad, 100));
    if (write(ends[1], fixed, 3) != 3) return 92;
    FAULTS(2, read(ends[0], fixed, 3));
    FAULTS(3, read(ends[0], bad, 3));
    return read(ends[0], pages, 8) == 3 ? 1 : 2;
  case 1:
    FAULTS(4, open(bad, O_RDONLY));
    FAULTS(5, access(bad, F_OK));
    FAULTS(6, unlink(bad));
    FAULTS(7, chdir(bad));
    return 3;
  case 2:
    FAULTS(10, uname((struct utsname *)bad));
    return 4;
  case 3:
    FAULTS(11, pipe((int *)bad));
    FAULTS(12, pipe((int *)fixed));
    return 5;
  case 4:
    FAULTS(13, nanosleep((struct timespec *)bad, 0));
    FAULTS(14, getrlimit(RLIMIT_NOFILE, (struct rlimit *)fixed));
    return 6;
  case 5: {
    struct iovec parts[2] = {{pages, 4}, {bad, 4}};
    memcpy(pages, "abcd", 4);
    /* What lies before the bad part goes through. */
    ssize_t done = writev(ends[1], parts, 2);
    if (done != -1) return done == 4 ? 7 : 93;
    return errno == EFAULT ? 7 : 94;
  }
  case 6:
    FAULTS(17, poll((struct pollfd *)bad, 1, 0));
    return 9;
  case 7:
    FAULTS(18, socketpair(AF_UNIX, SOCK_STREAM, 0, (int *)fixed));
    return 10;
  case 8:
    FAULTS(19, getitimer(ITIMER_REAL, (struct itimerval *)fixed));
    return 11;
  default:
    FAULTS(21, (int)syscall(SYS_getcwd, fixed, 100));
    FAULTS(22, syscall(SYS_clock_getres, CLOCK_REALTIME, fixed));
    return 12;
  }
}
