/* Errors in Linux's order: slashes behind names, descriptors that only name files, and what becomes ready when. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/timerfd.h>
#include <sys/uio.h>
#include <unistd.h>

#define TOLD(call) (errno = 0, told(#call, (long)(call)))

static void told(const char *call, long result) { printf("%s = %ld %d\n", call, result, errno); }

static void names(void) {
  close(open("file", O_CREAT | O_WRONLY, 0600));
  mkdir("folder", 0700), symlink("nowhere", "link"), symlink("folder", "way");
  TOLD(mkfifo("fifo/", 0600)), TOLD(mkfifo("folder/", 0600)), TOLD(mkdir("file/", 0700)), TOLD(mkdir("link/", 0700));
  TOLD(open("new/", O_CREAT | O_RDWR, 0600)), TOLD(open("folder/", O_CREAT | O_RDWR, 0600)), TOLD(open("file/", O_RDONLY));
  TOLD(rename("none/", "file")), TOLD(rename("file/", "other")), TOLD(rename("file", "other/")), TOLD(rename("none", "folder/none/x"));
  TOLD(unlink("file/")), TOLD(unlink("folder/")), TOLD(unlink("way/")), TOLD(rmdir("way/")), TOLD(unlink("none/"));
  TOLD(renameat2(AT_FDCWD, "file", AT_FDCWD, "folder/.", RENAME_NOREPLACE)), TOLD(rename("folder", "folder/sub"));
}

static void descriptors(void) {
  struct stat st;
  int named = open("file", O_PATH), file = open("file", O_RDWR), appends = open("file", O_WRONLY | O_APPEND);
  TOLD(fchmod(named, 0600)), TOLD(lseek(named, 0, SEEK_SET)), TOLD(pread(named, &st, 1, 0)), TOLD(ftruncate(named, 5)), TOLD(fsync(named));
  TOLD(write(file, "0123456789", 10)), TOLD(write(appends, "", 0)), TOLD(lseek(appends, 0, SEEK_CUR));
  TOLD(copy_file_range(file, &(off64_t){0}, file, &(off64_t){4}, 5, 0)), TOLD(copy_file_range(appends, 0, file, 0, 5, 0));
  TOLD(fallocate(file, FALLOC_FL_ZERO_RANGE, 8, 10)), TOLD(fallocate(file, FALLOC_FL_PUNCH_HOLE, 0, 5));
  fstat(file, &st);
  printf("%ld bytes\n", (long)st.st_size);
  TOLD(prctl(PR_SET_DUMPABLE, 5)), TOLD(prctl(PR_SET_DUMPABLE, 0)), TOLD(prctl(PR_GET_DUMPABLE));
}

static void readiness(void) {
  static char page[4096];
  int ends[2], pair[2], set = epoll_create1(0), timer = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK);
  struct timeval rest = {0, 5000};
  struct epoll_event event = {EPOLLIN | EPOLLOUT | EPOLLET, {0}};
  fd_set readable;
  signal(SIGPIPE, SIG_IGN);
  pipe2(ends, O_NONBLOCK);
  for (int i = 0; i < 15; i++) write(ends[1], page, sizeof page);
  TOLD(write(ends[1], page, 4000));
  struct iovec parts[] = {{page, 50}, {page, 100}};
  TOLD(writev(ends[1], parts, 2)), TOLD(writev(ends[1], parts, 1));
  TOLD(splice(timer, 0, ends[1], 0, 8, SPLICE_F_NONBLOCK)), TOLD(splice(ends[0], 0, timer, 0, 8, SPLICE_F_NONBLOCK));
  close(ends[0]);
  FD_ZERO(&readable);
  FD_SET(ends[1], &readable);
  TOLD(select(ends[1] + 1, &readable, 0, 0, 0));
  TOLD(select(0, 0, 0, 0, &rest)), printf("%ld left\n", (long)(rest.tv_sec + rest.tv_usec));
  socketpair(AF_UNIX, SOCK_DGRAM | SOCK_NONBLOCK, 0, pair);
  while (send(pair[0], page, sizeof page, 0) > 0) {}
  epoll_ctl(set, EPOLL_CTL_ADD, pair[0], &event);
  TOLD(epoll_wait(set, &event, 1, 0)), TOLD(recv(pair[1], page, sizeof page, 0)), TOLD(epoll_wait(set, &event, 1, 0));
  TOLD(send(pair[1], "x", 1, 0)), TOLD(epoll_wait(set, &event, 1, 0)), close(pair[1]);
  TOLD(send(pair[0], "y", 1, 0)), TOLD(recv(pair[0], page, 1, 0)), TOLD(send(pair[0], "y", 1, 0));
  socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, pair);
  TOLD(recv(pair[0], page, 0, 0)), TOLD(read(pair[0], page, 0));
}

static sigjmp_buf back;

static void jump(int number, siginfo_t *about, void *context) { siglongjmp(back, number * 16 + about->si_code); }

/* A page of a mapping that its file does not reach, before and after it does. */
static void behind_the_end(void) {
  struct sigaction action = {.sa_sigaction = jump, .sa_flags = SA_SIGINFO};
  int file = open("file", O_RDWR), fault;
  sigaction(SIGSEGV, &action, 0), sigaction(SIGBUS, &action, 0);
  volatile char *pages = mmap(0, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE, file, 0);
  if ((fault = sigsetjmp(back, 1))) printf("fault %d\n", fault);
  else printf("byte %d\n", pages[5000]);
  TOLD(ftruncate(file, 5000));
  printf("byte %d %d\n", pages[4999], pages[5001]);
}

int main(void) {
  names(), descriptors(), readiness(), behind_the_end();
  return 0;
}
