/* The recorder that `homi record` preloads into all processes of a command.
 *
 * A process that runs the recorded program writes down what it is given: its arguments, the variables that
 * it asks for, the files named by its arguments that it opens for reading, its standard input. The recorder
 * affects other processes only when they start programs (exec.c).
 *
 * Each process has a file of its own (HOMI_RECORD_DIR/TIME-PID), so what runs side by side does not mix. It
 * is opened anew for each event: no descriptor is open in between that the program could close or see, and
 * nothing need be done at the end, which may be _exit, a signal or an exec. An event is a letter, a length of
 * four bytes (little endian) and this number of bytes:
 *
 *   A  an argument, the program's name first, each in its turn
 *   F  a file that was opened: the name as the program said it, a zero byte, its content
 *   E  a variable that was asked for: NAME=VALUE
 *   S  a piece of standard input that was read from a pipe, a terminal or a socket
 *   R  all of standard input from where it stood, as it is a file; counts if it was read:
 *   U  it was
 *   C  something was longer than the limit and is cut
 *   .  the end of the program's start: what lacks it is no whole record
 *
 * The program must behave as without: errno stays, what is read is read once, by the program. */
#define _GNU_SOURCE
#include "recorder.h"
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

int homi_recording;
size_t homi_limit;

static char record[PATH_MAX];
static long recorded_process;
static char **arguments;
static int argument_count;

/* PRELOAD is what the loader reads; the others tell this library what to do. */
static const char *const names[] = {"LD_PRELOAD", "HOMI_RECORD_DIR", "HOMI_RECORD_PROGRAM", "HOMI_RECORD_LIMIT",
                                    "HOMI_RECORD_LIBRARY"};
enum { NAMES = sizeof names / sizeof names[0] };
static char *variables[NAMES]; /* NAME=VALUE, as this process got them */

void *homi_next(const char *name) {
  return dlsym(RTLD_NEXT, name);
}

static int is_variable(const char *entry, const char *name) {
  size_t length = strlen(name);
  return strncmp(entry, name, length) == 0 && entry[length] == '=';
}

static const char *value_of(int index) {
  return variables[index] ? variables[index] + strlen(names[index]) + 1 : "";
}

size_t homi_count(char *const *envp) {
  size_t count = 0;
  while (envp && envp[count]) count++;
  return count;
}

/* True if the environment makes the loader preload this library. */
static int preloads(char *const *envp) {
  const char *library = value_of(4);
  for (; *library && envp && *envp; envp++)
    if (is_variable(*envp, names[0])) return strstr(*envp, library) != 0;
  return 0;
}

char *const *homi_with_variables(char *const *envp, char **room) {
  size_t count = 0;
  int index;
  if (!variables[1] || preloads(envp)) return envp;
  for (index = 0; index < NAMES; index++)
    if (variables[index]) room[count++] = variables[index];
  for (; envp && *envp; envp++) {
    for (index = 0; index < NAMES; index++)
      if (is_variable(*envp, names[index])) break;
    if (index == NAMES) room[count++] = *envp;
  }
  room[count] = 0;
  return room;
}

/* The program is not to see what lets it be recorded. Another library that was preloaded before stays. */
static void hide_variables(char **envp) {
  const char *library = value_of(4), *rest = value_of(0);
  size_t length = strlen(library);
  char **kept = envp;
  int index;
  if (strncmp(rest, library, length) == 0 && (rest[length] == ':' || rest[length] == ' '))
    rest += length + 1;
  else
    rest = "";
  for (; *envp; envp++) {
    for (index = 0; index < NAMES; index++)
      if (is_variable(*envp, names[index])) break;
    if (index == NAMES)
      *kept++ = *envp;
    else if (index == 0 && *rest) {
      char *other;
      if (asprintf(&other, "LD_PRELOAD=%s", rest) > 0) *kept++ = other;
    }
  }
  *kept = 0;
}

void homi_event(char tag, const void *first, size_t first_size, const void *second, size_t second_size) {
  int kept_errno = errno;
  uint32_t size = (uint32_t)(first_size + second_size);
  char *event = malloc(5 + (size_t)size);
  long fd = -1;
  if (event && syscall(SYS_getpid) == recorded_process)
    fd = syscall(SYS_open, record, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
  if (fd >= 0) {
    event[0] = tag;
    memcpy(event + 1, &size, 4);
    if (first_size) memcpy(event + 5, first, first_size);
    if (second_size) memcpy(event + 5 + first_size, second, second_size);
    /* One write: an event is whole or cut off at the file's end. */
    (void)!syscall(SYS_write, fd, event, 5 + (size_t)size);
    syscall(SYS_close, fd);
  }
  free(event);
  errno = kept_errno;
}

/* True if an argument is this name, or ends in it behind `=` or an option's letter. */
static int is_named(const char *path) {
  size_t length = strlen(path);
  int index;
  if (!length) return 0;
  for (index = 1; index < argument_count; index++) {
    size_t whole = strlen(arguments[index]);
    if (whole < length || memcmp(arguments[index] + whole - length, path, length) != 0) continue;
    if (whole == length || arguments[index][whole - length - 1] == '=') return 1;
    if (whole == length + 2 && arguments[index][0] == '-') return 1;
  }
  return 0;
}

void homi_opened(const char *path, int fd) {
  struct stat status;
  size_t path_size, size = 0;
  int kept_errno = errno;
  char *content;
  if (!homi_recording || !path || !is_named(path)) return;
  if (fstat(fd, &status) == 0 && S_ISREG(status.st_mode) && (content = malloc(homi_limit + 1))) {
    ssize_t got;
    while (size <= homi_limit &&
           (got = syscall(SYS_pread64, fd, content + size, homi_limit + 1 - size, (long)size)) > 0)
      size += (size_t)got;
    if (size > homi_limit) homi_event('C', path, strlen(path), 0, 0), size = homi_limit;
    path_size = strlen(path) + 1;
    homi_event('F', path, path_size, content, size);
    free(content);
  }
  errno = kept_errno;
}

/* True if this process runs the program: the same file, or one of the same name that was built anew. */
static int is_program(const char *wanted) {
  char own[PATH_MAX];
  struct stat here, there;
  ssize_t length = readlink("/proc/self/exe", own, sizeof own - 1);
  if (length <= 0) return 0;
  own[length] = 0;
  if (strcmp(own, wanted) == 0) return 1;
  return stat("/proc/self/exe", &here) == 0 && stat(wanted, &there) == 0 && here.st_dev == there.st_dev &&
         here.st_ino == there.st_ino;
}

void homi_begin(int argc, char **argv, char **envp) {
  struct timespec now;
  int index;
  char **entry;
  for (entry = envp; entry && *entry; entry++)
    for (index = 0; index < NAMES; index++)
      if (is_variable(*entry, names[index])) variables[index] = strdup(*entry);
  if (!variables[1] || !variables[2] || !is_program(value_of(2))) return;
  homi_limit = strtoul(value_of(3), 0, 10);
  clock_gettime(CLOCK_REALTIME, &now);
  recorded_process = syscall(SYS_getpid);
  snprintf(record, sizeof record, "%s/%012lld%09ld-%ld", value_of(1), (long long)now.tv_sec, now.tv_nsec,
           recorded_process);
  arguments = argv;
  argument_count = argc;
  for (index = 0; index < argc; index++) homi_event('A', argv[index], strlen(argv[index]), 0, 0);
  hide_variables(envp);
  homi_recording = 1;
  homi_begin_input();
  homi_event('.', 0, 0, 0, 0);
}

__attribute__((constructor)) static void begin(int argc, char **argv, char **envp) {
  int kept_errno = errno;
  homi_begin(argc, argv, envp);
  errno = kept_errno;
}
