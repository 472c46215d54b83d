// System calls that the other programs do not reach: relative to a directory, with vectors, of identity and limits.
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/select.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/times.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <utime.h>

static void show(const char *what, long result) {
  int error = errno;
  printf("%s %ld", what, result);
  if (result < 0) printf(" %s", strerror(error));
  printf("\n");
}

static void names(int directory) {
  char text[100] = "";
  struct stat info;
  show("symlinkat", symlinkat("host.txt", directory, "soft"));
  long length = readlinkat(directory, "soft", text, sizeof text);
  printf("readlinkat %ld %s\n", length, text);
  show("linkat", linkat(directory, "host.txt", directory, "hard", 0));
  show("linkat again", linkat(directory, "host.txt", directory, "hard", 0));
  show("renameat", renameat(directory, "hard", directory, "moved"));
  show("renameat none", renameat(directory, "hard", directory, "x"));
  int file = openat(directory, "moved", O_RDWR);
  show("fchmod", fchmod(file, 0640));
  show("fstat", fstat(file, &info)), printf("%o %ld links\n", info.st_mode, (long)info.st_nlink);
  show("fchmodat", fchmodat(directory, "moved", 0604, 0));
  show("newfstatat", syscall(SYS_newfstatat, directory, "moved", &info, 0)), printf("%o\n", info.st_mode);
  show("fchown", fchown(file, -1, -1)), show("lchown", lchown("soft", -1, -1)), show("lchown none", lchown("none", -1, -1));
  show("fchownat", fchownat(directory, "moved", getuid(), getgid(), 0));
  struct utimbuf times = {1000, 2000};
  show("utime", utime("moved", &times)), stat("moved", &info), printf("%ld %ld\n", (long)info.st_atime, (long)info.st_mtime);
  struct timeval both[2] = {{3000, 0}, {4000, 0}};
  show("utimes", utimes("moved", both)), stat("moved", &info), printf("%ld %ld\n", (long)info.st_atime, (long)info.st_mtime);
  show("futimesat", futimesat(directory, "moved", both)), show("utimes none", utimes("none", both));
  show("raw utime", syscall(SYS_utime, "moved", &times)), show("raw utimes", syscall(SYS_utimes, "moved", both)), show("raw futimesat", syscall(SYS_futimesat, directory, "moved", both));
  stat("moved", &info), printf("%ld %ld\n", (long)info.st_atime, (long)info.st_mtime);
  show("mknodat", mknodat(directory, "fifo", S_IFIFO | 0600, 0)), show("mkfifoat", mkfifoat(directory, "fifo", 0600));
  struct statfs system;
  show("fstatfs", fstatfs(file, &system)), show("fstatfs bad", fstatfs(77, &system));
  struct statvfs virtual;
  show("statvfs", statvfs(".", &virtual)), show("fstatvfs", fstatvfs(file, &virtual));
  show("unlinkat", unlinkat(directory, "fifo", 0)), show("unlink", unlink("soft"));
  close(file);
}

static void vectors(int file) {
  char a[10] = "", b[10] = "";
  struct iovec from[2] = {{"first", 5}, {"second", 6}}, to[2] = {{a, 4}, {b, 7}};
  show("pwritev", pwritev(file, from, 2, 3));
  show("preadv", preadv(file, to, 2, 3)), printf("%s|%s\n", a, b);
  show("pwritev2", pwritev2(file, from, 1, 0, 0));
  show("preadv2", preadv2(file, to, 2, 0, 0)), printf("%s|%s\n", a, b);
  show("preadv beyond", preadv(file, to, 2, 5000)), show("preadv bad", preadv(77, to, 2, 0)), show("preadv negative", preadv(file, to, 2, -5));
  show("lseek", lseek(file, 0, SEEK_CUR));
  int copy = dup3(file, 50, O_CLOEXEC);
  show("dup3", copy), show("flags", fcntl(copy, F_GETFD)), show("dup3 same", dup3(file, file, 0)), show("dup3 bad", syscall(SYS_dup3, file, 51, 1));
  show("splice", splice(file, NULL, copy, NULL, 5, 0)), show("tee", tee(file, copy, 5, 0));
  show("syncfs", syncfs(file)), show("fdatasync", fdatasync(file)), show("fsync bad", fsync(77));
  show("posix_fadvise", posix_fadvise(file, 0, 0, POSIX_FADV_NORMAL)), show("posix_fallocate", posix_fallocate(file, 0, 100));
  sync();
}

static void identity(void) {
  unsigned r, e, s;
  show("getresuid", getresuid(&r, &e, &s)), printf("%d\n", r == getuid() && e == geteuid() && s == e);
  show("getresgid", getresgid(&r, &e, &s)), printf("%d\n", r == getgid() && e == getegid() && s == e);
  show("setgid", setgid(getgid())), show("setregid", setregid(-1, -1)), show("setresgid", setresgid(-1, -1, -1)), show("setegid", setegid(getegid()));
  show("setreuid", setreuid(-1, -1)), show("setresuid", setresuid(-1, -1, -1)), show("seteuid", seteuid(geteuid()));
  printf("%d %d %d\n", gettid() == getpid(), getppid() > 0, getgroups(0, NULL) >= 0);
  show("setpgid", setpgid(0, 0)), printf("%d\n", getpgid(0) == getpid() && getpgrp() == getpid());
  show("setsid", setsid());
  printf("%d\n", getsid(0) >= 0);
  int status;
  show("wait", wait(&status)), show("wait4", wait4(-1, &status, WNOHANG, NULL));
  siginfo_t info;
  show("waitid", waitid(P_ALL, 0, &info, WEXITED));
  char *const words[] = {"none", NULL};
  show("execve", execve("./none", words, words)), show("execve directory", execve("sub", words, words)), show("execvp", execvp("no-such-program", words));
  show("execveat", syscall(SYS_execveat, AT_FDCWD, "none", words, words, 0)), show("fexecve", fexecve(77, words, words));
}

static void limits(void) {
  struct rlimit limit = {0, 0};
  show("setrlimit", setrlimit(RLIMIT_CORE, &limit)), show("getrlimit", getrlimit(RLIMIT_CORE, &limit)), printf("%lu\n", (unsigned long)limit.rlim_cur);
  struct rusage usage;
  show("getrusage", getrusage(RUSAGE_SELF, &usage)), show("getrusage bad", getrusage(99, &usage));
  show("setpriority", setpriority(PRIO_PROCESS, 0, getpriority(PRIO_PROCESS, 0)));
  show("prctl", prctl(PR_SET_NAME, "tested")), show("personality", personality(0xffffffff));
  cpu_set_t set;
  show("getaffinity", sched_getaffinity(0, sizeof set, &set)), show("setaffinity", sched_setaffinity(0, sizeof set, &set));
  show("scheduler", syscall(SYS_sched_getscheduler, 0)), show("max", sched_get_priority_max(SCHED_OTHER)), show("min", sched_get_priority_min(SCHED_OTHER));
  struct tms spent;
  printf("times %d clock %d\n", times(&spent) != (clock_t)-1, clock() != (clock_t)-1);
  struct timespec resolution, little = {0, 1000};
  show("clock_getres", clock_getres(CLOCK_MONOTONIC, &resolution)), show("clock_getres bad", clock_getres(99, &resolution));
  show("clock_nanosleep", clock_nanosleep(CLOCK_MONOTONIC, 0, &little, NULL)), show("clock_nanosleep past", clock_nanosleep(CLOCK_REALTIME, TIMER_ABSTIME, &little, NULL));
  stack_t stack = {malloc(SIGSTKSZ), 0, SIGSTKSZ}, old;
  show("sigaltstack", sigaltstack(&stack, NULL)), show("sigaltstack", sigaltstack(NULL, &old)), printf("%d %d\n", old.ss_sp == stack.ss_sp, old.ss_flags);
  stack.ss_size = 1, show("sigaltstack small", sigaltstack(&stack, NULL));
}

static void devices(void) {
  struct stat input, null, zero;
  fstat(0, &input), stat("/dev/null", &null), stat("/dev/zero", &zero);
  printf("%d %d", input.st_ino == null.st_ino && input.st_dev == null.st_dev, input.st_rdev == null.st_rdev);
  printf(" %d %d\n", null.st_ino == zero.st_ino, null.st_rdev == zero.st_rdev);
}

static void waiting(void) {
  int ends[2];
  show("pipe", pipe(ends)), show("write", write(ends[1], "x", 1));
  struct pollfd polled = {ends[0], POLLIN, 0};
  struct timespec none = {0, 0};
  show("ppoll", ppoll(&polled, 1, &none, NULL)), printf("%d\n", polled.revents);
  fd_set set;
  FD_ZERO(&set);
  FD_SET(ends[0], &set);
  show("pselect", pselect(ends[0] + 1, &set, NULL, NULL, &none, NULL)), printf("%d\n", FD_ISSET(ends[0], &set));
  int pending = 0;
  show("FIONREAD", ioctl(ends[0], FIONREAD, &pending)), printf("%d\n", pending);
}

int main(void) {
  int directory = open(".", O_RDONLY | O_DIRECTORY), file = open("vectors", O_RDWR | O_CREAT, 0600);
  names(directory), vectors(file), limits(), waiting(), devices(), identity();
  return 0;
}
