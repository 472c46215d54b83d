/* dup, fcntl, pipes, poll and select, redirection of the standard streams. */
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/select.h>
#include <sys/stat.h>
#include <termios.h>
#include <unistd.h>

#include "show.h"

static char buffer[64];

static void duplicates(void) {
  int fd = open("host.txt", O_RDONLY | O_CLOEXEC);
  SHOW(fd);
  CALL(fcntl(fd, F_GETFD));
  CALL(dup(fd));
  CALL(fcntl(4, F_GETFD));
  CALL(fcntl(4, F_SETFD, FD_CLOEXEC));
  CALL(fcntl(4, F_GETFD));
  CALL(fcntl(fd, F_DUPFD, 20));
  CALL(fcntl(fd, F_DUPFD_CLOEXEC, 20));
  CALL(fcntl(fd, F_DUPFD, -1));
  CALL(dup2(fd, 9));
  CALL(dup2(fd, fd));
  CALL(dup2(77, 5));
  CALL(dup(77));
  CALL(read(9, buffer, 2));
  CALL(lseek(20, 0, SEEK_CUR));
  CALL(fcntl(fd, F_GETFL) & O_ACCMODE);
  CALL(fcntl(fd, F_SETFL, O_APPEND));
  CALL(fcntl(fd, F_GETFL) & O_APPEND);
  CALL(fcntl(77, F_GETFL));
  CALL(fcntl(fd, 12345));
  struct flock lock = {.l_type = F_RDLCK, .l_whence = SEEK_SET};
  CALL(fcntl(fd, F_SETLK, &lock));
  CALL(fcntl(fd, F_GETLK, &lock));
  SHOW(lock.l_type == F_UNLCK);
  for (int i = 3; i < 30; i++) close(i);
}

static void pipes(void) {
  int ends[2], available;
  CALL(pipe(ends));
  CALL(write(ends[1], "abcdef", 6));
  CALL(ioctl(ends[0], FIONREAD, &available));
  SHOW(available);
  CALL(read(ends[0], buffer, 4));
  CALL(lseek(ends[0], 0, SEEK_SET));
  struct pollfd polled[3] = {{ends[0], POLLIN, 0}, {ends[1], POLLOUT | POLLIN, 0}, {77, POLLIN, 0}};
  CALL(poll(polled, 3, 0));
  for (int i = 0; i < 3; i++) SHOW(polled[i].revents);
  CALL(read(ends[0], buffer, 4));
  CALL(poll(polled, 1, 0));
  fcntl(ends[0], F_SETFL, O_NONBLOCK);
  CALL(read(ends[0], buffer, 4));
  fd_set readable, writable;
  struct timeval none = {0, 0};
  FD_ZERO(&readable);
  FD_ZERO(&writable);
  FD_SET(ends[0], &readable);
  FD_SET(ends[1], &writable);
  CALL(select(ends[1] + 1, &readable, &writable, NULL, &none));
  SHOW(FD_ISSET(ends[0], &readable) != 0);
  SHOW(FD_ISSET(ends[1], &writable) != 0);
  close(ends[1]);
  CALL(read(ends[0], buffer, 4));
  CALL(poll(polled, 1, 0));
  SHOW(polled[0].revents);
  close(ends[0]);
  signal(SIGPIPE, SIG_IGN);
  CALL(pipe(ends));
  close(ends[0]);
  CALL(write(ends[1], "x", 1));
  CALL(pipe2(ends, 0x123456));
  CALL(pipe2(ends, O_NONBLOCK | O_CLOEXEC));
  long total = 0, n;
  static char block[4096];
  while ((n = write(ends[1], block, sizeof block)) > 0) total += n;
  SHOW(total);
}

static void terminals(void) {
  struct termios settings;
  struct winsize window;
  int fd = open("/dev/null", O_RDWR);
  CALL(isatty(1));
  CALL(isatty(fd));
  CALL(tcgetattr(fd, &settings));
  CALL(ioctl(1, TIOCGWINSZ, &window));
  CALL(ioctl(77, TIOCGWINSZ, &window));
  CALL(write(fd, "x", 1));
  CALL(read(fd, buffer, 1));
  CALL(lseek(fd, 10, SEEK_SET));
  struct stat status;
  CALL(fstat(fd, &status));
  SHOW(S_ISCHR(status.st_mode));
  SHOW(status.st_rdev);
  fd = open("/dev/zero", O_RDONLY);
  buffer[0] = 'x';
  CALL(read(fd, buffer, 8));
  SHOW(buffer[0]);
  fd = open("/dev/full", O_WRONLY);
  CALL(write(fd, "x", 1));
  SHOW_TEXT(ttyname(0));
}

static void redirection(void) {
  fflush(stdout);
  int saved = dup(1), file = open("out", O_RDWR | O_CREAT | O_TRUNC, 0644);
  dup2(file, 1);
  printf("into the file\n");
  fflush(stdout);
  dup2(saved, 1);
  lseek(file, 0, SEEK_SET);
  dup2(file, 0);
  SHOW_TEXT(fgets(buffer, sizeof buffer, stdin));
  SHOW_TEXT(fgets(buffer, sizeof buffer, stdin));
}

int main(void) {
  duplicates();
  pipes();
  terminals();
  redirection();
  return 0;
}
