/* The modelled kernel under test, natively: `kernel_native CASE` runs one case in the current directory
 * (empty but for what the Rust side put there) and exits with 0, or prints the checks that failed.
 * tests/it/runtime_kernel.rs compiles it with runtime/kernel and runs every case. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/select.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#include "kernel_host.h"

long __homi_syscall(long n, long a1, long a2, long a3, long a4, long a5, long a6);
int __homi_entry(int (*main)(int, char **, char **), int argc, char **argv, char **envp);

static int failures;
static int program_argc;
static char **program_argv, **program_envp;
static void (*body)(void);

#define CHECK(expected, actual)                                                                             \
  do {                                                                                                      \
    long check_expected = (long)(expected), check_actual = (long)(actual);                                  \
    if (check_expected != check_actual) {                                                                   \
      printf("line %d: %s: expected %ld, got %ld\n", __LINE__, #actual, check_expected, check_actual);      \
      failures++;                                                                                           \
    }                                                                                                       \
  } while (0)
#define CHECK_TEXT(expected, actual)                                                                        \
  do {                                                                                                      \
    const char *check_actual = (actual);                                                                    \
    if (strcmp((expected), check_actual) != 0) {                                                            \
      printf("line %d: %s: expected %s, got %s\n", __LINE__, #actual, (expected), check_actual);            \
      failures++;                                                                                           \
    }                                                                                                       \
  } while (0)
#define CALL_6(n, a, b, c, d, e, f, ...) \
  __homi_syscall(SYS_##n, (long)(a), (long)(b), (long)(c), (long)(d), (long)(e), (long)(f))
#define CALL(...) CALL_6(__VA_ARGS__, 0, 0, 0, 0, 0, 0, 0)

int __homi_start(int (*main)(int, char **, char **), int argc, char **argv, char **envp) {
  (void)main;
  program_argc = argc;
  program_argv = argv;
  program_envp = envp;
  body();
  return 0;
}

/* Runs a body as a program with these arguments; afterwards `host_end` tells how its path ended. */
static void run(void (*program)(void), int argc, char **argv) {
  static char home[] = "HOME=/home", old[] = "MODE=old";
  char *envp[] = {home, old, 0};
  body = program;
  host_end.kind = "returned";
  if (setjmp(host_path_end) == 0) __homi_entry(0, argc, argv, envp);
}
#define RUN(program, ...)                                                  \
  do {                                                                     \
    char *run_argv[] = {__VA_ARGS__, 0};                                   \
    run(program, (int)(sizeof run_argv / sizeof run_argv[0]) - 1, run_argv); \
  } while (0)

static void prepare(const char *name, const void *bytes, unsigned long size) {
  struct host_object object = {name, bytes, size};
  host_objects[host_object_count++] = object;
}

static struct stat ordinary(unsigned mode) {
  struct stat stat_buffer;
  memset(&stat_buffer, 0, sizeof stat_buffer);
  stat_buffer.st_ino = 77;
  stat_buffer.st_blksize = 4096;
  stat_buffer.st_mode = mode;
  stat_buffer.st_nlink = 1;
  return stat_buffer;
}

static const char *made(void) {
  static char text[1000];
  int i;
  text[0] = 0;
  for (i = 0; i < host_made_count; i++)
    snprintf(text + strlen(text), sizeof text - strlen(text), "%s%s:%lu", i ? " " : "", host_made[i], host_made_size[i]);
  return text;
}

static void write_file(const char *path, const char *text) {
  long fd = CALL(open, path, O_WRONLY | O_CREAT | O_TRUNC, 0666);
  CHECK(1, fd >= 0);
  CHECK(strlen(text), CALL(write, fd, text, strlen(text)));
  CHECK(0, CALL(close, fd));
}

static const char *read_file(const char *path) {
  static char text[1000];
  long fd = CALL(open, path, O_RDONLY), n;
  if (fd < 0) return "(cannot open)";
  n = CALL(read, fd, text, sizeof text - 1);
  text[n < 0 ? 0 : n] = 0;
  CALL(close, fd);
  return text;
}

/* ---- cases ---- */

static void nothing(void) {}

static void arguments(void) {
  CHECK(4, program_argc);
  CHECK_TEXT("prog", program_argv[0]);
  CHECK_TEXT("-x", program_argv[1]);
  CHECK_TEXT("--", program_argv[2]);
  CHECK_TEXT("--help", program_argv[3]);
  CHECK(1, program_argv[4] == NULL);
}
static void case_arguments_pass_through(void) { RUN(arguments, "prog", "-x", "--", "--help"); }

static void symbolic_arguments(void) {
  CHECK(5, program_argc);
  CHECK_TEXT("abc", program_argv[1]);
  CHECK_TEXT("mid", program_argv[2]);
  CHECK_TEXT("", program_argv[3]);
  CHECK_TEXT("", program_argv[4]);
  CHECK_TEXT("arg00:4 n_args:4 arg01:11 arg02:11 A_data:8 A_data_stat:144 B_data:8 B_data_stat:144 stdin:5 "
             "stdin_stat:144 read_fail:4 write_fail:4 close_fail:4 ftruncate_fail:4 getcwd_fail:4 stdout:1024 "
             "stdout_stat:144", made());
}
static void case_symbolic_objects_in_klees_order(void) {
  static struct stat stat_buffer;
  int two = 2;
  stat_buffer = ordinary(S_IFREG | 0644);
  prepare("arg00", "abcX", 4);
  prepare("n_args", &two, 4);
  prepare("A_data_stat", &stat_buffer, 144);
  prepare("B_data_stat", &stat_buffer, 144);
  prepare("stdin_stat", &stat_buffer, 144);
  prepare("stdout_stat", &stat_buffer, 144);
  RUN(symbolic_arguments, "prog", "-sym-stdout", "--sym-arg", "3", "mid", "--sym-files", "2", "8", "--sym-args", "1", "3",
      "10", "--max-fail", "1", "--sym-stdin", "5");
  CHECK_TEXT("returned", host_end.kind);
}

static void fixed_count(void) {
  CHECK(3, program_argc);
  CHECK_TEXT("arg00:3 arg01:3", made());
}
static void case_equal_bounds_make_no_count(void) { RUN(fixed_count, "prog", "--sym-args", "2", "2", "2"); }

static void expect_usage(int argc, char **argv) {
  run(nothing, argc, argv);
  CHECK_TEXT("user.err", host_end.kind);
  CHECK(1, strstr(host_end.what, "--sym-") != NULL || strstr(host_end.what, "--max-fail") != NULL);
}
#define USAGE(...)                                                                       \
  do {                                                                                   \
    char *usage_argv[] = {"prog", __VA_ARGS__, 0};                                       \
    expect_usage((int)(sizeof usage_argv / sizeof usage_argv[0]) - 1, usage_argv);       \
  } while (0)
static void case_usage_errors(void) {
  USAGE("--sym-arg");
  USAGE("--sym-arg", "x");
  USAGE("--sym-arg", "0");
  USAGE("--sym-arg", "99999999999999999999");
  USAGE("--sym-args", "1", "2");
  USAGE("--sym-args", "3", "2", "1");
  USAGE("--sym-files", "27", "1");
  USAGE("--sym-files", "1", "8", "--sym-files", "1", "8");
  USAGE("--sym-stdin", "");
  USAGE("--max-fail", "-1");
  USAGE("--sym-file", "nowhere/x", "3");
  USAGE("--sym-env", "=x");
  USAGE("--sym-env", "MODE");
}

static void environment(void) {
  CHECK_TEXT("MODE=new", program_envp[0]);
  CHECK_TEXT("HOME=/home", program_envp[1]);
  CHECK(1, program_envp[2] == NULL);
}
static void case_symbolic_environment(void) {
  prepare("MODE", "new", 3);
  RUN(environment, "prog", "--sym-env", "MODE", "5");
}
static void case_fixed_environment(void) {
  RUN(environment, "prog", "--sym-env", "MODE=new");
}

static void echo(void) {
  struct iovec vector[2] = {{"hello ", 6}, {"world\n", 6}};
  CHECK(12, CALL(writev, 1, vector, 2));
  CHECK(3, CALL(write, 2, "err", 3));
  CHECK(-ENOTTY, CALL(ioctl, 1, TIOCGWINSZ, vector));
  CHECK(0, CALL(close, 1));
  CHECK(-EBADF, CALL(write, 1, "x", 1));
  CALL(exit_group, 3);
}
static void case_echo(void) {
  RUN(echo, "echo");
  CHECK_TEXT("exit", host_end.kind);
  CHECK(3, host_end.status);
  CHECK_TEXT("hello world\nerr", host_output);
}

static void host_files(void) {
  struct stat stat_buffer;
  char text[100] = {0};
  struct iovec vector[2] = {{text, 4}, {text + 4, 90}};
  long fd = CALL(openat, AT_FDCWD, "host.txt", O_RDONLY);
  CHECK(3, fd);
  CHECK(0, CALL(fstat, fd, &stat_buffer));
  CHECK(S_IFREG, stat_buffer.st_mode & S_IFMT);
  CHECK(10, stat_buffer.st_size);
  CHECK(0, CALL(fadvise64, fd, 0, 0, 2));
  CHECK(10, CALL(readv, fd, vector, 2));
  CHECK_TEXT("host file\n", text);
  CHECK(0, CALL(read, fd, text, 10));
  CHECK(5, CALL(lseek, fd, 5, SEEK_SET));
  CHECK(5, CALL(read, fd, text, 100));
  CHECK(10, CALL(lseek, fd, 0, SEEK_END));
  CHECK(-EINVAL, CALL(lseek, fd, -1, SEEK_SET));
  CHECK(3, CALL(pread64, fd, text, 3, 1));
  CHECK(0, memcmp(text, "ost", 3));
  CHECK(-EBADF, CALL(write, fd, "x", 1));
  CHECK(-ENOENT, CALL(open, "missing", O_RDONLY));
  CHECK(-ENOENT, CALL(open, "", O_RDONLY));
  CHECK(-EFAULT, CALL(open, 0, O_RDONLY));
  CHECK(-ENOTDIR, CALL(open, "host.txt/x", O_RDONLY));
  CHECK(-ENOTDIR, CALL(open, "host.txt/", O_RDONLY));
  CHECK(-EISDIR, CALL(open, "sub", O_WRONLY));
  CHECK(0, CALL(stat, "./sub/../link", &stat_buffer));
  CHECK(10, stat_buffer.st_size);
  CHECK(0, CALL(lstat, "link", &stat_buffer));
  CHECK(S_IFLNK, stat_buffer.st_mode & S_IFMT);
  CHECK(8, CALL(readlink, "link", text, 100));
  CHECK(0, memcmp(text, "host.txt", 8));
  CHECK(-EINVAL, CALL(readlink, "host.txt", text, 100));
  CHECK(-ELOOP, CALL(open, "link", O_RDONLY | O_NOFOLLOW));
  CHECK(-ELOOP, CALL(stat, "loop", &stat_buffer));
}
static void case_host_files(void) { RUN(host_files, "prog"); }

static void changed_files(void) {
  struct stat stat_buffer;
  long fd;
  write_file("new", "one two");
  CHECK_TEXT("one two", read_file("new"));
  CHECK(0, CALL(stat, "new", &stat_buffer));
  CHECK(S_IFREG | 0644, stat_buffer.st_mode);
  CHECK(7, stat_buffer.st_size);
  fd = CALL(open, "host.txt", O_RDWR);
  CHECK(5, CALL(lseek, fd, 5, SEEK_SET));
  CHECK(4, CALL(write, fd, "FILE", 4));
  CHECK(2, CALL(pwrite64, fd, "!!", 2, 12));
  CHECK(0, CALL(close, fd));
  fd = CALL(open, "host.txt", O_RDONLY);
  char text[20] = {0};
  CHECK(14, CALL(read, fd, text, 20));
  CHECK(0, memcmp(text, "host FILE\n\0\0!!", 14));
  fd = CALL(open, "host.txt", O_WRONLY | O_APPEND);
  CHECK(1, CALL(write, fd, "+", 1));
  CHECK(15, CALL(lseek, fd, 0, SEEK_CUR));
  CHECK(0, CALL(ftruncate, fd, 4));
  CHECK_TEXT("host", read_file("host.txt"));
  CHECK(0, CALL(truncate, "host.txt", 6));
  CHECK(0, CALL(stat, "host.txt", &stat_buffer));
  CHECK(6, stat_buffer.st_size);
  CHECK(-EEXIST, CALL(open, "host.txt", O_WRONLY | O_CREAT | O_EXCL, 0600));
  CHECK(-ENOENT, CALL(open, "nowhere/new", O_WRONLY | O_CREAT, 0600));
  CHECK(0, CALL(chmod, "host.txt", 04711));
  CHECK(0, CALL(fstat, fd, &stat_buffer));
  CHECK(S_IFREG | 04711, stat_buffer.st_mode);
  CHECK(022, CALL(umask, 077));
  CHECK(1, CALL(open, "private", O_CREAT | O_WRONLY, 0666) > 0);
  CHECK(0, CALL(stat, "private", &stat_buffer));
  CHECK(S_IFREG | 0600, stat_buffer.st_mode);
}
static void case_changed_files(void) {
  RUN(changed_files, "prog");
  FILE *file = fopen("host.txt", "r");
  char text[20] = {0};
  CHECK(10, fread(text, 1, 20, file));
  CHECK_TEXT("host file\n", text);
  CHECK(-1, access("new", F_OK));
}

static void names(void) {
  struct stat stat_buffer;
  CHECK(0, CALL(mkdir, "d", 0777));
  CHECK(-EEXIST, CALL(mkdir, "d", 0777));
  CHECK(-EEXIST, CALL(mkdir, "sub/", 0777));
  CHECK(0, CALL(mkdir, "d/e/", 0700));
  CHECK(0, CALL(stat, "d", &stat_buffer));
  CHECK(3, stat_buffer.st_nlink);
  CHECK(S_IFDIR | 0755, stat_buffer.st_mode);
  write_file("d/f", "text");
  CHECK(-ENOTEMPTY, CALL(rmdir, "d"));
  CHECK(-EISDIR, CALL(unlink, "d/e"));
  CHECK(-ENOTDIR, CALL(rmdir, "d/f"));
  CHECK(0, CALL(link, "d/f", "d/g"));
  CHECK(0, CALL(stat, "d/g", &stat_buffer));
  CHECK(2, stat_buffer.st_nlink);
  CHECK(0, CALL(rename, "d/g", "sub/h"));
  CHECK_TEXT("text", read_file("sub/h"));
  CHECK(-ENOENT, CALL(stat, "d/g", &stat_buffer));
  CHECK(0, CALL(rename, "d", "sub/moved"));
  CHECK_TEXT("text", read_file("sub/moved/f"));
  CHECK(-EINVAL, CALL(rename, "sub", "sub/moved/x"));
  CHECK(-ENOENT, CALL(rename, "none", "x"));
  CHECK(-EISDIR, CALL(rename, "host.txt", "sub"));
  CHECK(-ENOTDIR, CALL(rename, "sub", "host.txt"));
  CHECK(-EEXIST, CALL(renameat2, AT_FDCWD, "host.txt", AT_FDCWD, "link", 1));
  CHECK(0, CALL(renameat2, AT_FDCWD, "host.txt", AT_FDCWD, "sub/h", 2));
  CHECK_TEXT("text", read_file("host.txt"));
  CHECK_TEXT("host file\n", read_file("sub/h"));
  CHECK(0, CALL(symlink, "sub/h", "s"));
  CHECK_TEXT("host file\n", read_file("s"));
  CHECK(0, CALL(lstat, "s", &stat_buffer));
  CHECK(5, stat_buffer.st_size);
  CHECK(0, CALL(unlink, "s"));
  CHECK(-ENOENT, CALL(unlink, "s"));
  CHECK(0, CALL(unlink, "link"));
  CHECK(-ENOENT, CALL(lstat, "link", &stat_buffer));
  CHECK(-EINVAL, CALL(rmdir, "sub/."));
  CHECK(-ENOTEMPTY, CALL(rmdir, "sub/.."));
  CHECK(-ENOTEMPTY, CALL(rmdir, "sub"));
  CHECK(-EISDIR, CALL(unlink, "/"));
  CHECK(-ENAMETOOLONG, CALL(mkdir,
    "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
    "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
    "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", 0777));
}
static void case_names(void) { RUN(names, "prog"); }

/* A file that was removed while open keeps its contents for who holds it. */
static void removed_file(void) {
  char text[10] = {0};
  write_file("t", "12345");
  long fd = CALL(open, "t", O_RDWR);
  CHECK(0, CALL(unlink, "t"));
  CHECK(5, CALL(read, fd, text, 10));
  CHECK(5, CALL(lseek, fd, 0, SEEK_CUR));
  CHECK(0, CALL(close, fd));
  write_file("t", "again");
  CHECK_TEXT("again", read_file("t"));
}
static void case_removed_file(void) { RUN(removed_file, "prog"); }

static void list(const char *path, char *to) {
  char buffer[200];
  long fd = CALL(open, path, O_RDONLY | O_DIRECTORY), n, i;
  to[0] = 0;
  while ((n = CALL(getdents64, fd, buffer, sizeof buffer)) > 0)
    for (i = 0; i < n;) {
      struct dirent *entry = (struct dirent *)(buffer + i);
      sprintf(to + strlen(to), "%s%c ", entry->d_name, entry->d_type == DT_DIR ? '/' : entry->d_type == DT_LNK ? '@' : '-');
      i += entry->d_reclen;
    }
  CHECK(0, n);
  CHECK(0, CALL(close, fd));
}

static void listing(void) {
  char text[500];
  list(".", text);
  CHECK_TEXT("./ ../ host.txt- link@ loop@ sub/ ", text);
  CHECK(0, CALL(unlink, "link"));
  CHECK(0, CALL(mkdir, "n", 0777));
  write_file("z", "");
  CHECK(0, CALL(unlink, "host.txt"));
  CHECK(0, CALL(mkdir, "host.txt", 0777));
  list(".", text);
  CHECK_TEXT("./ ../ host.txt/ loop@ sub/ n/ z- ", text);
  list("n", text);
  CHECK_TEXT("./ ../ ", text);
  CHECK(0, CALL(rmdir, "n"));
  CHECK(0, CALL(rename, "z", "loop"));
  list(".", text);
  CHECK_TEXT("./ ../ host.txt/ loop- sub/ ", text);
  CHECK(-ENOTDIR, CALL(open, "loop", O_RDONLY | O_DIRECTORY));
}
static void case_listing(void) { RUN(listing, "prog"); }

static void directories(void) {
  char start[4096], text[4096];
  struct stat stat_buffer;
  long n = CALL(getcwd, start, sizeof start), fd;
  CHECK(strlen(start) + 1, n);
  CHECK(-ERANGE, CALL(getcwd, text, 2));
  CHECK(0, CALL(chdir, "sub"));
  CHECK(n + 4, CALL(getcwd, text, sizeof text));
  CHECK(0, memcmp(text, start, (size_t)n - 1));
  CHECK_TEXT("/sub", text + n - 1);
  CHECK_TEXT("host file\n", read_file("../host.txt"));
  fd = CALL(open, "..", O_RDONLY);
  CHECK(0, CALL(newfstatat, fd, "sub/inner", &stat_buffer, 0));
  CHECK(0, CALL(newfstatat, fd, "", &stat_buffer, AT_EMPTY_PATH));
  CHECK(S_IFDIR, stat_buffer.st_mode & S_IFMT);
  CHECK(-ENOTDIR, CALL(chdir, "inner"));
  CHECK(0, CALL(fchdir, fd));
  CHECK(n, CALL(getcwd, text, sizeof text));
  CHECK(0, CALL(chdir, "/"));
  CHECK(2, CALL(getcwd, text, sizeof text));
  CHECK_TEXT("/", text);
  CHECK(0, CALL(chdir, "/../.."));
  CHECK(2, CALL(getcwd, text, sizeof text));
  strcat(start, "/host.txt");
  CHECK_TEXT("host file\n", read_file(start));
}
static void case_directories(void) { RUN(directories, "prog"); }

static void descriptors(void) {
  char text[10];
  write_file("f", "abcdef");
  long fd = CALL(open, "f", O_RDONLY | O_CLOEXEC);
  CHECK(3, fd);
  CHECK(1, CALL(fcntl, fd, F_GETFD));
  CHECK(4, CALL(dup, fd));
  CHECK(0, CALL(fcntl, 4, F_GETFD));
  CHECK(10, CALL(fcntl, fd, F_DUPFD_CLOEXEC, 10));
  CHECK(20, CALL(dup2, fd, 20));
  CHECK(2, CALL(read, 20, text, 2));
  CHECK(2, CALL(lseek, 3, 0, SEEK_CUR));
  CHECK(-EBADF, CALL(dup2, 99, 5));
  CHECK(-EBADF, CALL(dup, -1));
  CHECK(-EINVAL, CALL(dup3, 3, 3, 0));
  CHECK(3, CALL(dup2, 3, 3));
  CHECK(-EBADF, CALL(dup2, 3, 1024));
  CHECK(0, CALL(close, 3));
  CHECK(3, CALL(dup, 4));
  CHECK(0, CALL(fcntl, 4, F_GETFL) & O_ACCMODE);
  CHECK(0, CALL(close_range, 3, ~0u, 0));
  CHECK(-EBADF, CALL(close, 4));
  CHECK(-EBADF, CALL(fcntl, 20, F_GETFD));
  CHECK(1, CALL(dup2, 2, 1));
  long last = -1, next;
  while ((next = CALL(dup, 0)) >= 0) last = next;
  CHECK(-EMFILE, next);
  CHECK(1023, last);
}
static void case_descriptors(void) { RUN(descriptors, "prog"); }

static void pipes(void) {
  int fds[2];
  char text[10] = {0};
  struct pollfd polled[2];
  struct timespec limit = {1, 0};
  fd_set readable, writable;
  CHECK(0, CALL(pipe, fds));
  CHECK(-ESPIPE, CALL(lseek, fds[0], 0, SEEK_SET));
  CHECK(5, CALL(write, fds[1], "hello", 5));
  polled[0].fd = fds[0];
  polled[1].fd = fds[1];
  polled[0].events = polled[1].events = POLLIN | POLLOUT;
  CHECK(2, CALL(poll, polled, 2, -1));
  CHECK(POLLIN, polled[0].revents);
  CHECK(POLLOUT, polled[1].revents);
  CHECK(3, CALL(read, fds[0], text, 3));
  CHECK(2, CALL(read, fds[0], text, 10));
  FD_ZERO(&readable);
  FD_ZERO(&writable);
  FD_SET(fds[0], &readable);
  FD_SET(fds[1], &writable);
  CHECK(1, CALL(pselect6, fds[1] + 1, &readable, &writable, 0, &limit));
  CHECK(0, FD_ISSET(fds[0], &readable));
  CHECK(1, FD_ISSET(fds[1], &writable) != 0);
  CHECK(0, CALL(poll, polled, 1, 500));
  CHECK(0, CALL(close, fds[1]));
  CHECK(0, CALL(read, fds[0], text, 10));
  CHECK(0, CALL(pipe2, fds, O_NONBLOCK));
  CHECK(-EAGAIN, CALL(read, fds[0], text, 1));
  CHECK(0, CALL(pipe, fds));
  CALL(read, fds[0], text, 1);
}
static void case_pipes(void) {
  RUN(pipes, "prog");
  CHECK_TEXT("gap", host_end.kind);
}

static void broken_pipe(void) {
  int fds[2];
  CALL(pipe, fds);
  CALL(close, fds[0]);
  CALL(write, fds[1], "x", 1);
}
static void case_broken_pipe(void) {
  RUN(broken_pipe, "prog");
  CHECK_TEXT("exit", host_end.kind);
  CHECK(141, host_end.status);
}

static void devices(void) {
  struct stat stat_buffer;
  char text[4] = "abc";
  long fd = CALL(open, "/dev/null", O_RDWR);
  CHECK(1, fd > 0);
  CHECK(3, CALL(write, fd, "abc", 3));
  CHECK(0, CALL(read, fd, text, 3));
  fd = CALL(open, "/dev/zero", O_RDONLY);
  CHECK(3, CALL(read, fd, text, 3));
  CHECK(0, text[0] | text[1] | text[2]);
  fd = CALL(open, "/dev/full", O_WRONLY);
  CHECK(-ENOSPC, CALL(write, fd, "abc", 3));
  CHECK(-ENXIO, CALL(open, "/dev/tty", O_RDWR));
  CHECK(0, CALL(stat, "/dev/stdout", &stat_buffer));
  CHECK(S_IFIFO, stat_buffer.st_mode & S_IFMT);
  fd = CALL(open, "/dev/fd/1", O_WRONLY);
  CHECK(2, CALL(write, fd, "ok", 2));
  CHECK(-ENOENT, CALL(open, "/dev/fd/77", O_WRONLY));
  CHECK(0, CALL(fstat, 0, &stat_buffer));
  CHECK(S_IFCHR, stat_buffer.st_mode & S_IFMT);
  CHECK(0, CALL(read, 0, text, 3));
}
static void case_devices(void) {
  RUN(devices, "prog");
  CHECK_TEXT("ok", host_output);
}

static void concrete_stdin(void) {
  char text[100] = {0};
  struct stat stat_buffer;
  CHECK(0, CALL(fstat, 0, &stat_buffer));
  CHECK(11, stat_buffer.st_size);
  CHECK(4, CALL(read, 0, text, 4));
  CHECK(7, CALL(read, 0, text + 4, 90));
  CHECK_TEXT("some input\n", text);
  CHECK(0, CALL(read, 0, text, 90));
  CHECK(5, CALL(lseek, 0, 5, SEEK_SET));
  CHECK_TEXT("input\n", read_file("/dev/stdin"));
}
static void case_concrete_stdin(void) {
  host_stdin = "some input\n";
  RUN(concrete_stdin, "prog");
}

static void stream_stdin(void) {
  char text[100] = {0};
  struct stat stat_buffer;
  CHECK(0, CALL(fstat, 0, &stat_buffer));
  CHECK(S_IFIFO, stat_buffer.st_mode & S_IFMT);
  CHECK(4, CALL(read, 0, text, 4));
  CHECK(-ESPIPE, CALL(lseek, 0, 0, SEEK_CUR));
  CHECK(-EFAULT, CALL(read, 0, 0, 4));
  CHECK(7, CALL(read, 0, text + 4, 90));
  CHECK_TEXT("some input\n", text);
}
static void case_stream_stdin(void) {
  host_stdin = "some input\n";
  host_stdin_is_stream = 1;
  RUN(stream_stdin, "prog");
}

static void symbolic_file(void) {
  struct stat stat_buffer;
  char text[20] = {0}, path[4200];
  long fd = CALL(open, "A", O_RDWR);
  CHECK(3, fd);
  CHECK(4, CALL(read, fd, text, 20));
  CHECK_TEXT("data", text);
  CHECK(0, CALL(read, fd, text, 20));
  CHECK(2, CALL(lseek, fd, 2, SEEK_SET));
  CHECK(5, CALL(write, fd, "QWxyz", 5));
  CHECK(7, CALL(lseek, fd, 0, SEEK_CUR));
  CHECK(0, CALL(read, fd, text, 20));
  CHECK(7, CALL(lseek, fd, 0, SEEK_END));
  CHECK_TEXT("daQWxyz", read_file("./A"));
  CHECK(0, CALL(ftruncate, fd, 5));
  CALL(getcwd, path, sizeof path);
  strcat(path, "/A");
  CHECK_TEXT("daQWx", read_file(path));
  CHECK(0, CALL(stat, "A", &stat_buffer));
  CHECK(5, stat_buffer.st_size);
  CHECK(8, stat_buffer.st_blocks);
  CHECK(77, stat_buffer.st_ino);
  CHECK(-EINVAL, CALL(ftruncate, fd, -1));
  CHECK(-EINVAL, CALL(truncate, "A", -1));
  CHECK(0, CALL(truncate, "A", 6));
  CHECK(4, CALL(pread64, fd, text, 4, 2));
  CHECK(0, memcmp(text, "QWx\0", 4));
  host_user = 54321;
  CHECK(-EPERM, CALL(chown, "A", 1234, 0));
  CHECK(0, CALL(chown, "A", -1, -1));
  CHECK(-EACCES, CALL(access, "A", R_OK | X_OK));
  host_user = 0;
  CHECK(-ENOTDIR, CALL(chdir, "A"));
  CHECK(-ENOTTY, CALL(ioctl, fd, TCGETS, path));
  CHECK(0, CALL(access, "A", R_OK | W_OK));
  CHECK(-EACCES, CALL(access, "A", R_OK | X_OK));
  CHECK(0, CALL(chmod, "A", 0600));
  CHECK(0, CALL(fstat, fd, &stat_buffer));
  CHECK(S_IFREG | 0600, stat_buffer.st_mode);
  CHECK(-ENOTDIR, CALL(stat, "A/x", &stat_buffer));
  CHECK(3, CALL(read, 0, text, 20));
  CHECK(0, memcmp(text, "in!", 3));
  CHECK(0, CALL(link, "A", "more"));
  CHECK(0, CALL(unlink, "more"));
  CHECK(4, CALL(open, "A", O_WRONLY | O_TRUNC));
  CHECK(0, CALL(lseek, fd, 0, SEEK_END));
  CHECK_TEXT("", read_file("A"));
  CHECK(0, CALL(unlink, "A"));
  CHECK(-ENOENT, CALL(open, "A", O_RDONLY));
}
static void prepare_files(unsigned mode) {
  static struct stat file, in;
  file = ordinary(mode);
  in = ordinary(S_IFIFO | 0600);
  prepare("A_data", "data", 4);
  prepare("A_data_stat", &file, 144);
  prepare("B_data_stat", &file, 144);
  prepare("C_data_stat", &file, 144);
  prepare("in/x_data_stat", &file, 144);
  prepare("stdin", "in!", 3);
  prepare("stdin_stat", &in, 144);
}
static void case_symbolic_file(void) {
  prepare_files(S_IFREG | 0644);
  RUN(symbolic_file, "prog", "--sym-files", "1", "4", "--sym-stdin", "3");
}

static void symbolic_directory(void) {
  char text[100];
  struct termios_like { char bytes[64]; } unused;
  long fd = CALL(open, "A", O_RDONLY);
  (void)unused;
  CHECK(-EISDIR, CALL(read, fd, text, 10));
  list("A", text);
  CHECK_TEXT("./ ../ ", text);
  list(".", text);
  CHECK_TEXT("./ ../ host.txt- link@ loop@ sub/ A/ ", text);
  CHECK(-ENOENT, CALL(stat, "A/x", text));
  CHECK(-EISDIR, CALL(open, "A", O_WRONLY));
  CHECK(-EISDIR, CALL(open, "A", O_RDWR));
  CHECK(-EISDIR, CALL(open, "A", O_RDONLY | O_TRUNC));
  CHECK(-EISDIR, CALL(open, "A", O_RDONLY | O_CREAT, 0666));
  CHECK(-EISDIR, CALL(creat, "A", 0666));
  CHECK(-EEXIST, CALL(open, "A", O_WRONLY | O_CREAT | O_EXCL, 0666));
  CHECK(-EISDIR, CALL(openat, AT_FDCWD, "A", O_WRONLY | O_APPEND));
  CHECK(-EISDIR, CALL(truncate, "A", 0));
  CHECK(-EINVAL, CALL(ftruncate, fd, 0));
  CHECK(-EISDIR, CALL(unlink, "A"));
  CHECK(-EPERM, CALL(link, "A", "B"));
  CHECK(-EISDIR, CALL(rename, "host.txt", "A"));
  CHECK(-ENOTDIR, CALL(rename, "A", "host.txt"));
  CHECK(-ENODEV, CALL(mmap, 0, 4096, PROT_READ, MAP_PRIVATE, fd, 0));
  CHECK(-EINVAL, CALL(sendfile, 1, fd, 0, 4));
  write_file("A/x", "inside");
  CHECK_TEXT("inside", read_file("A/x"));
  list("A", text);
  CHECK_TEXT("./ ../ x- ", text);
  CHECK(0, CALL(chdir, "A"));
  CHECK_TEXT("inside", read_file("x"));
  CHECK(0, CALL(chdir, ".."));
  CHECK(-ENOTEMPTY, CALL(rmdir, "A"));
  CHECK(0, CALL(unlink, "A/x"));
  CHECK(0, CALL(rename, "A", "moved"));
  CHECK(-ENOENT, CALL(stat, "A", text));
  CHECK(0, CALL(mkdir, "d", 0777));
  CHECK(0, CALL(rename, "moved", "d"));
  CHECK(0, CALL(rmdir, "d"));
}
static void case_symbolic_directory(void) {
  prepare_files(S_IFDIR | 0755);
  RUN(symbolic_directory, "prog", "--sym-files", "1", "4");
}

static void symbolic_paths(void) {
  struct stat stat_buffer;
  write_file("made", "x");
  host_symbolic = 1;
  CHECK(3, CALL(open, "B", O_RDONLY));
  CHECK(4, CALL(open, "C", O_RDONLY));
  CHECK(-ENOENT, CALL(open, "D", O_RDONLY));
  CHECK(-ENOENT, CALL(open, "AA", O_RDONLY));
  CHECK(-ENOENT, CALL(open, "", O_RDONLY));
  CHECK(-ENOENT, CALL(open, "host.txt", O_RDONLY));
  CHECK(5, CALL(open, "made", O_RDONLY));
  CHECK(-ENOENT, CALL(open, "mad", O_RDONLY));
  CHECK(0, CALL(stat, ".", &stat_buffer));
  CHECK(S_IFDIR, stat_buffer.st_mode & S_IFMT);
  CHECK(0, CALL(stat, "/", &stat_buffer));
  CHECK(1, host_symbolic);
  CHECK(6, CALL(open, "created", O_WRONLY | O_CREAT, 0666));
  CHECK(0, host_symbolic);
  CHECK(0, CALL(stat, "created", &stat_buffer));
}
static void case_symbolic_paths(void) {
  prepare_files(S_IFREG | 0644);
  RUN(symbolic_paths, "prog", "--sym-files", "3", "4");
}

static void named_files(void) {
  struct stat stat_buffer;
  CHECK_TEXT("x_data:5 x_data_stat:144 sub/y_data:7 sub/y_data_stat:144", made());
  CHECK(0, CALL(stat, "x", &stat_buffer));
  CHECK(5, stat_buffer.st_size);
  CHECK(0, CALL(stat, "sub/y", &stat_buffer));
  CHECK(7, stat_buffer.st_size);
}
static void case_named_symbolic_files(void) {
  static struct stat file;
  file = ordinary(S_IFREG | 0644);
  prepare("x_data_stat", &file, 144);
  prepare("sub/y_data_stat", &file, 144);
  RUN(named_files, "prog", "--sym-file", "x", "5", "--sym-file", "sub/y", "7");
}

static void symbolic_stdout(void) {
  char big[1100];
  memset(big, 'x', sizeof big);
  CHECK(1000, CALL(write, 1, big, 1000));
  CHECK(100, CALL(write, 1, big, 100));
  CHECK(1100, CALL(lseek, 1, 0, SEEK_END));
}
static void case_symbolic_stdout_is_not_shown(void) {
  static struct stat file;
  file = ordinary(S_IFCHR | 0600);
  prepare("stdout_stat", &file, 144);
  RUN(symbolic_stdout, "prog", "--sym-stdout");
  CHECK(0, host_output_length);
}

static void terminal(void) {
  struct winsize window;
  unsigned char termios_bytes[64];
  CHECK(0, CALL(ioctl, 1, TIOCGWINSZ, &window));
  CHECK(24, window.ws_row);
  CHECK(80, window.ws_col);
  CHECK(0, CALL(ioctl, 1, TCGETS, termios_bytes));
}
static void case_symbolic_terminal(void) {
  static struct stat file;
  file = ordinary(S_IFCHR | 0600);
  prepare("stdout_stat", &file, 144);
  RUN(terminal, "prog", "--sym-stdout");
}

static void injected(void) {
  char text[10];
  long fd = CALL(open, "host.txt", O_RDONLY);
  CHECK(3, CALL(read, fd, text, 3));
  CHECK(-EIO, CALL(read, fd, text, 3));
  CHECK(3, CALL(read, fd, text, 3));
  CHECK(0, CALL(close, fd));
}
static void case_injected_failures(void) {
  static int second = 2, first = 1;
  prepare("read_fail", &second, 4);
  prepare("close_fail", &first, 4);
  RUN(injected, "prog", "--fd-fail");
}

static int caught;
static void handler(int number) { caught = caught * 100 + number; }
struct raw_action { void (*handler)(int); unsigned long flags; void (*restorer)(void); unsigned long mask; };

static void signals(void) {
  struct raw_action action = {handler, 0, 0, 0}, old;
  unsigned long mask = 1ul << (SIGUSR1 - 1), before = 5;
  struct itimerval timer = {{0, 0}, {2, 0}};
  struct timespec length = {5, 0}, rest;
  long pid = CALL(getpid);
  CHECK(0, CALL(rt_sigaction, SIGUSR1, &action, &old, 8));
  CHECK(0, (long)old.handler);
  CHECK(-EINVAL, CALL(rt_sigaction, SIGKILL, &action, 0, 8));
  CHECK(0, CALL(kill, pid, SIGUSR1));
  CHECK(SIGUSR1, caught);
  CHECK(0, CALL(rt_sigprocmask, SIG_BLOCK, &mask, &before, 8));
  CHECK(0, before);
  CHECK(0, CALL(tkill, pid, SIGUSR1));
  CHECK(SIGUSR1, caught);
  CHECK(0, CALL(rt_sigprocmask, SIG_UNBLOCK, &mask, 0, 8));
  CHECK(SIGUSR1 * 101, caught);
  CHECK(0, CALL(kill, pid, SIGCHLD));
  CHECK(0, CALL(kill, pid, 0));
  CHECK(-ESRCH, CALL(kill, 31337, 0));
  caught = 0;
  CHECK(0, CALL(rt_sigaction, SIGALRM, &action, 0, 8));
  CHECK(0, CALL(setitimer, ITIMER_REAL, &timer, 0));
  CHECK(-EINTR, CALL(nanosleep, &length, &rest));
  CHECK(SIGALRM, caught);
  CHECK(2, rest.tv_sec); /* A process wakes up a little late. */
  CHECK(0, CALL(nanosleep, &rest, 0));
  CHECK(0, CALL(alarm, 7));
  CHECK(7, CALL(alarm, 0));
  CALL(tkill, pid, SIGABRT);
}
static void case_signals(void) {
  RUN(signals, "prog");
  CHECK_TEXT("abort", host_end.kind);
}

static void terminate(void) { CALL(kill, CALL(getpid), SIGTERM); }
static void case_default_action_ends_the_path(void) {
  RUN(terminate, "prog");
  CHECK_TEXT("exit", host_end.kind);
  CHECK(128 + SIGTERM, host_end.status);
}

static void clocks(void) {
  struct timespec a, b, length = {10, 5};
  struct timeval c;
  CHECK(0, CALL(clock_gettime, CLOCK_REALTIME, &a));
  CHECK(0, CALL(nanosleep, &length, 0));
  CHECK(0, CALL(clock_gettime, CLOCK_REALTIME, &b));
  CHECK(10, b.tv_sec - a.tv_sec);
  CHECK(5 + 1000, b.tv_nsec - a.tv_nsec);
  CHECK(0, CALL(gettimeofday, &c, 0));
  CHECK(b.tv_sec, c.tv_sec);
  CHECK(b.tv_sec, CALL(time, 0));
  CHECK(-EINVAL, CALL(clock_gettime, 99, &a));
  length.tv_nsec = -1;
  CHECK(-EINVAL, CALL(nanosleep, &length, 0));
}
static void case_clocks(void) { RUN(clocks, "prog"); }

static void times(void) {
  struct stat stat_buffer;
  struct timespec both[2] = {{11, 22}, {33, UTIME_OMIT}};
  write_file("f", "x");
  CHECK(0, CALL(utimensat, AT_FDCWD, "f", both, 0));
  CHECK(0, CALL(stat, "f", &stat_buffer));
  CHECK(11, stat_buffer.st_atim.tv_sec);
  CHECK(22, stat_buffer.st_atim.tv_nsec);
  CHECK(1700000000, stat_buffer.st_mtim.tv_sec);
  CHECK(0, CALL(utimensat, AT_FDCWD, "f", 0, 0));
  CHECK(0, CALL(stat, "f", &stat_buffer));
  CHECK(1700000000, stat_buffer.st_atim.tv_sec);
  CHECK(-ENOENT, CALL(utimensat, AT_FDCWD, "g", 0, 0));
  both[0].tv_nsec = 2000000000;
  CHECK(-EINVAL, CALL(utimensat, AT_FDCWD, "f", both, 0));
  CHECK(0, CALL(utimensat, 0, 0, 0, 0));
}
static void case_times(void) { RUN(times, "prog"); }

static void memory(void) {
  char *a = (char *)CALL(mmap, 0, 10000, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0), *b;
  CHECK(0, (unsigned long)a % 4096);
  CHECK(0, a[0] | a[12287]);
  a[0] = 'a';
  a[12287] = 'z';
  CHECK(0, CALL(mprotect, a, 4096, PROT_READ));
  CHECK(-EFAULT, CALL(mremap, a, 12288, 40000, 1));
  CHECK(0, CALL(mprotect, a, 4096, PROT_READ | PROT_WRITE));
  b = (char *)CALL(mremap, a, 12288, 40000, 1);
  CHECK('a', b[0]);
  CHECK('z', b[12287]);
  CHECK(0, CALL(munmap, b, 4096));
  CHECK(0, CALL(munmap, b + 4096, 40000 - 4096));
  CHECK(-EINVAL, CALL(mmap, 0, 0, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  CHECK(-EBADF, CALL(mmap, 0, 10, PROT_READ, MAP_PRIVATE, 99, 0));
  long fd = CALL(open, "host.txt", O_RDWR);
  a = (char *)CALL(mmap, 0, 10, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  CHECK(0, memcmp(a, "host file\n\0\0", 12));
  a[0] = 'H';
  CHECK_TEXT("Host file\n", read_file("host.txt"));
  CHECK(CALL(brk, 0), CALL(brk, 1 << 20));
}
static void case_memory(void) { RUN(memory, "prog"); }

static void transfer(void) {
  long in = CALL(open, "host.txt", O_RDONLY), out = CALL(open, "copy", O_RDWR | O_CREAT, 0666), at = 5;
  CHECK(10, CALL(copy_file_range, in, 0, out, 0, 100));
  CHECK(0, CALL(copy_file_range, in, 0, out, 0, 100));
  CHECK_TEXT("host file\n", read_file("copy"));
  CHECK(-EINVAL, CALL(copy_file_range, in, 0, 1, 0, 100));
  CHECK(3, CALL(sendfile, 1, in, &at, 3));
  CHECK(8, at);
  CHECK(0, CALL(fallocate, out, 0, 0, 20));
  CHECK(20, CALL(lseek, out, 0, SEEK_END));
  CHECK(-ENXIO, CALL(lseek, out, 20, SEEK_DATA));
  CHECK(20, CALL(lseek, out, 3, SEEK_HOLE));
}
static void case_transfer(void) {
  RUN(transfer, "prog");
  CHECK_TEXT("fil", host_output);
}

static void statx_and_statfs(void) {
  struct statx s;
  uint64_t fs[15];
  CHECK(0, CALL(statx, AT_FDCWD, "host.txt", 0, STATX_BASIC_STATS, &s));
  CHECK(10, s.stx_size);
  CHECK(S_IFREG, s.stx_mode & S_IFMT);
  CHECK(1, s.stx_nlink);
  CHECK(-ENOENT, CALL(statx, AT_FDCWD, "x", 0, 0, &s));
  CHECK(0, CALL(statfs, ".", fs));
  CHECK(4096, fs[1]);
  CHECK(0, CALL(faccessat2, AT_FDCWD, "host.txt", R_OK, 0));
  CHECK(-ENOENT, CALL(faccessat2, AT_FDCWD, "x", F_OK, 0));
}
static void case_statx_and_statfs(void) { RUN(statx_and_statfs, "prog"); }

static void refused(void) {
  CHECK(-EAGAIN, CALL(clone, 0x10900, 0, 0, 0, 0));
  CHECK(-EINVAL, CALL(clone, 0x10000, 0, 0, 0, 0));
  CHECK(-ENOENT, CALL(execve, "nosuch", 0, 0));
  CHECK(-EACCES, CALL(execve, "host.txt", 0, 0));
  CHECK(-EACCES, CALL(execve, "sub", 0, 0));
  CHECK(-ECHILD, CALL(wait4, -1, 0, 0, 0));
  CHECK(-EAFNOSUPPORT, CALL(socket, 1, 1, 0));
  CHECK(-EBADF, CALL(connect, 9, 0, 0));
  CHECK(20, CALL(getpriority, 0, 0));
  CHECK(-ENODATA, CALL(getxattr, "host.txt", "user.x", 0, 0));
  CALL_6(read, 0, 0, 0, 0, 0, 0);
  CHECK(-ENOSYS, __homi_syscall(9876, 0, 0, 0, 0, 0, 0)); /* Linux has no such call */
  __homi_syscall(500, 0, 0, 0, 0, 0, 0);
}
static void case_refused_and_unknown(void) {
  RUN(refused, "prog");
  CHECK_TEXT("gap", host_end.kind);
  CHECK_TEXT("syscall 500", host_end.what);
}

/* One thread: nobody can wake it, so only a time-out ends a wait. */
static int word = 3;
static void waits(void) { CALL(futex, &word, 0, 3, 0); }
static void futexes(void) {
  long moment[2] = {0, 1000}, before[2], after[2];
  CHECK(-EFAULT, CALL(futex, 0, 0, 0, 0));
  CHECK(-EAGAIN, CALL(futex, &word, 0, 4, 0));
  CHECK(0, CALL(futex, &word, 1, 1, 0));
  CHECK(0, CALL(clock_gettime, 0, before));
  CHECK(-ETIMEDOUT, CALL(futex, &word, 0, 3, moment));
  CHECK(0, CALL(clock_gettime, 0, after));
  CHECK(1, after[0] > before[0] || after[1] >= before[1] + 1000);
  CHECK(0, CALL(sched_yield));
}
static void case_futexes_of_one_thread(void) {
  RUN(futexes, "prog");
  RUN(waits, "prog");
  CHECK_TEXT("deadlock.err", host_end.kind);
}

enum { FIRST_CHILD = 4194305, NO_HANG = 1 };

static void parent(void) {
  static const unsigned long ignoring[8] = {1};
  int ends[2], more[2], status = 0, information[32];
  char byte;
  CHECK(-ECHILD, CALL(wait4, -1, 0, 0, 0));
  CHECK(-ECHILD, CALL(waitid, 0, 0, 0, 4));
  CHECK(-EINVAL, CALL(waitid, 0, 0, 0, 0));
  CHECK(0, CALL(pipe, ends));
  CHECK(FIRST_CHILD, CALL(fork));
  CHECK(4242, CALL(getpid));
  CHECK(0, CALL(close, ends[1]));
  /* The child holds the other end; it executes, it ends. */
  CHECK(0, CALL(kill, FIRST_CHILD, 0));
  CHECK(0, CALL(read, ends[0], &byte, 1));
  CHECK(-ECHILD, CALL(wait4, FIRST_CHILD + 1, 0, 0, 0));
  CHECK(FIRST_CHILD, CALL(wait4, -1, &status, 0, 0));
  CHECK(7 << 8, status);
  CHECK(-ECHILD, CALL(wait4, -1, 0, 0, 0));
  CHECK(-ESRCH, CALL(kill, FIRST_CHILD, 0));
  /* One that is killed, one that nobody waits for at once. */
  CHECK(FIRST_CHILD + 1, CALL(vfork));
  CHECK(FIRST_CHILD + 2, CALL(clone, 17, 0, 0, 0, 0));
  CHECK(0, CALL(kill, -(FIRST_CHILD + 1), 15));
  CHECK(0, CALL(waitid, 1, FIRST_CHILD + 1, information, 4 | 0x1000000));
  CHECK(17, information[0]);
  CHECK(2, information[2]);
  CHECK(FIRST_CHILD + 1, information[4]);
  CHECK(15, information[6]);
  CHECK(FIRST_CHILD + 1, CALL(wait4, 0, &status, 0, 0));
  CHECK(15, status);
  CHECK(0, CALL(wait4, -1, 0, NO_HANG, 0));
  CHECK(0, CALL(wait4, -1, 0, NO_HANG, 0));
  CHECK(FIRST_CHILD + 2, CALL(wait4, -1, 0, NO_HANG, 0));
  /* Where SIGCHLD is ignored there is nobody to wait for. */
  CHECK(0, CALL(rt_sigaction, 17, ignoring, 0, 8));
  CHECK(FIRST_CHILD + 3, CALL(fork));
  CHECK(-ECHILD, CALL(wait4, FIRST_CHILD + 3, 0, 0, 0));
  CHECK(0, CALL(rt_sigaction, 17, ignoring + 4, 0, 8));
  /* An end to read stays when the child executes: 64 KiB fit. Then it ends, and nobody reads. */
  CHECK(0, CALL(pipe2, more, 02000000));
  CHECK(FIRST_CHILD + 4, CALL(fork));
  CHECK(0, CALL(close, more[0]));
  CHECK(1, CALL(write, more[1], "x", 1));
  CHECK(FIRST_CHILD + 4, CALL(wait4, -1, 0, 0, 0));
  CALL(write, more[1], "x", 1);
}

static void child(void) {
  static char bytes[65536];
  int ends[2], more[2], i;
  CHECK(0, CALL(pipe, ends));
  CHECK(0, CALL(pipe, more));
  CHECK(-EPERM, CALL(setsid));
  CHECK(100, CALL(alarm, 100) + 100);
  CHECK(0, CALL(fork));
  CHECK(FIRST_CHILD, CALL(getpid));
  CHECK(FIRST_CHILD, CALL(gettid));
  CHECK(4242, CALL(getppid));
  CHECK(4242, CALL(getpgrp));
  CHECK(0, CALL(alarm, 0));
  CHECK(-ECHILD, CALL(wait4, -1, 0, 0, 0));
  CHECK(0, CALL(setpgid, 0, 0));
  CHECK(FIRST_CHILD, CALL(getpgid, 0));
  CHECK(-EPERM, CALL(setsid));
  /* The parent keeps its ends until the child has to wait. */
  CHECK(0, CALL(close, ends[0]));
  CHECK(1, CALL(write, ends[1], "x", 1));
  CHECK(0, CALL(close, more[1]));
  CHECK(0, CALL(read, more[0], bytes, 1));
  for (i = 0; i < 2; i++) CALL(write, ends[1], bytes, sizeof bytes);
}

static void executes(void) {
  write_file("program", "");
  CALL(chmod, "program", 0755);
  CALL(execve, "program", 0, 0);
}

static void refused_fork(void) { CHECK(-EAGAIN, CALL(fork)); }

static void case_parent_of_a_process(void) {
  static const int seven = 7;
  prepare("child_status", &seven, sizeof seven);
  RUN(parent, "prog");
  CHECK_TEXT("exit", host_end.kind);
  CHECK(128 + 13, host_end.status);
}

static void case_child_of_a_process(void) {
  static const int as_child = 1;
  prepare("fork", &as_child, sizeof as_child);
  RUN(child, "prog");
  CHECK_TEXT("exit", host_end.kind);
  CHECK(128 + 13, host_end.status);
}

static void case_another_program(void) {
  RUN(executes, "prog");
  CHECK_TEXT("exit", host_end.kind);
  CHECK(0, host_end.status);
}

static void case_refused_fork(void) {
  static const int refusal = 2;
  prepare("fork", &refusal, sizeof refusal);
  RUN(refused_fork, "prog", "--max-fail", "1");
  CHECK_TEXT("returned", host_end.kind);
}

static void machine(void) {
  unsigned char set[128] = {0}, random[2][8];
  char names[6][65];
  unsigned long limits[2], info[14];
  CHECK(8, CALL(sched_getaffinity, 0, sizeof set, set));
  CHECK(1, set[0]);
  CHECK(0, CALL(uname, names));
  CHECK_TEXT("Linux", names[0]);
  CHECK(0, CALL(prlimit64, 0, 7, 0, limits));
  CHECK(1024, limits[0]);
  CHECK(0, CALL(sysinfo, info));
  CHECK(1 << 30, info[4]);
  CHECK(8, CALL(getrandom, random[0], 8, 0));
  CHECK(8, CALL(getrandom, random[1], 8, 0));
  CHECK(1, memcmp(random[0], random[1], 8) != 0);
  CHECK(0, CALL(getuid));
}
static void case_machine(void) { RUN(machine, "prog"); }

/* Another user than the owner meets the permission bits. */
static void permissions(void) {
  struct stat stat_buffer;
  CHECK(0, CALL(chdir, "sub"));
  CHECK(0, CALL(stat, "inner", &stat_buffer)); /* what the program sees first belongs to its user */
  CHECK(0, stat_buffer.st_uid);
  host_user = 54321;
  CHECK(-EACCES, CALL(open, "inner", O_WRONLY));
  CHECK(-EPERM, CALL(chmod, "inner", 0777));
  CHECK(-EPERM, CALL(chown, "inner", 54321, -1));
  CHECK(-EACCES, CALL(mkdir, "x", 0777));
  CHECK(-EACCES, CALL(unlink, "inner"));
  CHECK(-EACCES, CALL(access, "inner", W_OK));
  CHECK(-EACCES, CALL(utimensat, AT_FDCWD, "inner", 0, 0));
  CHECK(0, CALL(access, "inner", R_OK));
  CHECK(-EPERM, CALL(setuid, 0));
}
static void case_permissions(void) { RUN(permissions, "prog"); }

/* Nothing changes, for no user; who has the privilege hears of mistakes that others do not. */
static void administration(void) {
  int64_t fine[2] = {5, 0}, wrong[2] = {5, -1};
  CHECK(0, CALL(getuid));
  CHECK(-ENOENT, CALL(umount2, "none", 0));
  CHECK(-EINVAL, CALL(umount2, "sub", 0));
  CHECK(-EPERM, CALL(mount, "none", "sub", "tmpfs", 0, 0));
  CHECK(-EPERM, CALL(clock_settime, 0, fine));
  CHECK(-EINVAL, CALL(clock_settime, 0, wrong));
  CHECK(-EINVAL, CALL(sethostname, "name", 65));
  CHECK(-EPERM, CALL(sethostname, "name", 4));
  CHECK(-EINVAL, CALL(reboot, 1, 2, 3));
  CHECK(-EPERM, CALL(reboot, 0xfee1dead, 672274793, 0x1234567));
  CHECK(-ENOENT, CALL(pivot_root, "none", "sub"));
  CHECK(0, CALL(ioperm, 0, 8, 0));
  CHECK(-EPERM, CALL(ioperm, 0, 8, 1));
  host_user = 54321;
  CHECK(-ENOENT, CALL(umount2, "none", 0));
  CHECK(-EPERM, CALL(umount2, "sub", 0));
  CHECK(-EPERM, CALL(sethostname, "name", 65));
  CHECK(-EPERM, CALL(reboot, 1, 2, 3));
  CHECK(-EPERM, CALL(pivot_root, "none", "sub"));
  CHECK(-EPERM, CALL(swapoff, "none"));
  CHECK(-EPERM, CALL(vhangup));
}
static void case_administration(void) { RUN(administration, "prog"); }

static void extended(void) {
  char value[8];
  CHECK(0, CALL(setxattr, "host.txt", "user.a", "abc", 3, 0));
  CHECK(-EEXIST, CALL(setxattr, "host.txt", "user.a", "abc", 3, 1));
  CHECK(-ENODATA, CALL(setxattr, "host.txt", "user.b", "abc", 3, 2));
  CHECK(3, CALL(getxattr, "link", "user.a", value, sizeof value));
  CHECK(0, memcmp(value, "abc", 3));
  CHECK(-ERANGE, CALL(getxattr, "host.txt", "user.a", value, 2));
  CHECK(7, CALL(listxattr, "host.txt", value, sizeof value));
  CHECK(-EPERM, CALL(lsetxattr, "link", "user.a", "abc", 3, 0));
  CHECK(0, CALL(setxattr, "host.txt", "trusted.a", "", 0, 0));
  CHECK(17, CALL(listxattr, "host.txt", 0, 0));
  host_user = 54321;
  CHECK(7, CALL(listxattr, "host.txt", 0, 0));
  CHECK(-ENODATA, CALL(getxattr, "host.txt", "trusted.a", value, sizeof value));
  CHECK(-EPERM, CALL(setxattr, "host.txt", "trusted.a", "", 0, 0));
  CHECK(-EACCES, CALL(removexattr, "host.txt", "user.a"));
  host_user = 0;
  CHECK(0, CALL(removexattr, "host.txt", "user.a"));
  CHECK(-ENODATA, CALL(removexattr, "host.txt", "user.a"));
}
static void case_extended_attributes(void) { RUN(extended, "prog"); }

static const struct { const char *name; void (*run)(void); } cases[] = {
#define CASE(name) {#name, case_##name}
  CASE(arguments_pass_through), CASE(symbolic_objects_in_klees_order), CASE(equal_bounds_make_no_count),
  CASE(usage_errors), CASE(symbolic_environment), CASE(fixed_environment), CASE(echo), CASE(host_files), CASE(changed_files), CASE(names),
  CASE(removed_file), CASE(listing), CASE(directories), CASE(descriptors), CASE(pipes), CASE(broken_pipe),
  CASE(devices), CASE(concrete_stdin), CASE(stream_stdin), CASE(symbolic_file), CASE(symbolic_directory), CASE(symbolic_paths),
  CASE(named_symbolic_files), CASE(symbolic_stdout_is_not_shown), CASE(symbolic_terminal), CASE(injected_failures),
  CASE(signals), CASE(default_action_ends_the_path), CASE(clocks), CASE(times), CASE(memory), CASE(transfer),
  CASE(statx_and_statfs), CASE(refused_and_unknown), CASE(futexes_of_one_thread), CASE(parent_of_a_process),
  CASE(child_of_a_process), CASE(another_program), CASE(refused_fork), CASE(machine), CASE(permissions),
  CASE(administration), CASE(extended_attributes),
};

int main(int argc, char **argv) {
  unsigned i;
  for (i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    if (argc < 2) printf("%s\n", cases[i].name);
    else if (strcmp(argv[1], cases[i].name) == 0) {
      cases[i].run();
      return failures ? 1 : 0;
    }
  }
  return argc < 2 ? 0 : 2;
}
