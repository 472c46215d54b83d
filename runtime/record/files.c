/* Files that a recorded program opens, and variables that it asks for. */
#define _GNU_SOURCE
#include "recorder.h"
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static int reads(int flags) {
  return (flags & O_ACCMODE) != O_WRONLY && !(flags & (O_TRUNC | O_DIRECTORY | O_PATH));
}

static int has_mode(int flags) {
  return (flags & O_CREAT) || (flags & O_TMPFILE) == O_TMPFILE;
}

#define MODE_OF(flags)                           \
  unsigned mode = 0;                             \
  if (has_mode(flags)) {                         \
    va_list list;                                \
    va_start(list, flags);                       \
    mode = va_arg(list, unsigned);               \
    va_end(list);                                \
  }

#define OPEN(name)                                                  \
  SHOWN int name(const char *path, int flags, ...) {                \
    static int (*real)(const char *, int, ...);                     \
    int fd;                                                         \
    MODE_OF(flags)                                                  \
    if (!real) real = homi_next(#name);                             \
    fd = real(path, flags, mode);                                   \
    if (fd >= 0 && reads(flags)) homi_opened(path, fd);             \
    return fd;                                                      \
  }

#define OPENAT(name)                                                \
  SHOWN int name(int directory, const char *path, int flags, ...) { \
    static int (*real)(int, const char *, int, ...);                \
    int fd;                                                         \
    MODE_OF(flags)                                                  \
    if (!real) real = homi_next(#name);                             \
    fd = real(directory, path, flags, mode);                        \
    if (fd >= 0 && reads(flags)) homi_opened(path, fd);             \
    return fd;                                                      \
  }

/* Functions that fortified headers call. */
#define OPEN_2(name)                                                \
  SHOWN int name(const char *path, int flags) {                     \
    static int (*real)(const char *, int);                          \
    int fd;                                                         \
    if (!real) real = homi_next(#name);                             \
    fd = real(path, flags);                                         \
    if (fd >= 0 && reads(flags)) homi_opened(path, fd);             \
    return fd;                                                      \
  }

#define OPENAT_2(name)                                              \
  SHOWN int name(int directory, const char *path, int flags) {      \
    static int (*real)(int, const char *, int);                     \
    int fd;                                                         \
    if (!real) real = homi_next(#name);                             \
    fd = real(directory, path, flags);                              \
    if (fd >= 0 && reads(flags)) homi_opened(path, fd);             \
    return fd;                                                      \
  }

OPEN(open)
OPEN(open64)
OPENAT(openat)
OPENAT(openat64)
OPEN_2(__open_2)
OPEN_2(__open64_2)
OPENAT_2(__openat_2)
OPENAT_2(__openat64_2)

#define FOPEN(name)                                                             \
  SHOWN FILE *name(const char *path, const char *mode) {                        \
    static FILE *(*real)(const char *, const char *);                           \
    FILE *stream;                                                               \
    if (!real) real = homi_next(#name);                                         \
    stream = real(path, mode);                                                  \
    if (stream && mode && mode[0] == 'r') homi_opened(path, fileno(stream));    \
    return stream;                                                              \
  }

#define FREOPEN(name)                                                           \
  SHOWN FILE *name(const char *path, const char *mode, FILE *old) {             \
    static FILE *(*real)(const char *, const char *, FILE *);                   \
    FILE *stream;                                                               \
    if (!real) real = homi_next(#name);                                         \
    stream = real(path, mode, old);                                             \
    if (path && stream && mode && mode[0] == 'r') homi_opened(path, fileno(stream)); \
    return stream;                                                              \
  }

FOPEN(fopen)
FOPEN(fopen64)
FREOPEN(freopen)
FREOPEN(freopen64)

/* A program may ask in a loop. */
enum { MOST_QUESTIONS = 512 };

static char *asked(const char *name, char *value) {
  static int questions;
  if (homi_recording && value && questions < MOST_QUESTIONS) {
    size_t length = strlen(name), size = strlen(value);
    char joined[256];
    questions++;
    if (length < sizeof joined - 1) {
      memcpy(joined, name, length);
      joined[length] = '=';
      homi_event('E', joined, length + 1, value, size < homi_limit ? size : homi_limit);
    }
  }
  return value;
}

SHOWN char *getenv(const char *name) {
  static char *(*real)(const char *);
  if (!real) real = homi_next("getenv");
  return asked(name, real(name));
}

SHOWN char *secure_getenv(const char *name) {
  static char *(*real)(const char *);
  if (!real) real = homi_next("secure_getenv");
  return asked(name, real(name));
}
