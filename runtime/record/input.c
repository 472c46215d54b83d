/* Standard input of a recorded program.
 *
 * A file is read beforehand from where it stands, without moving in it; whether the program read it shows at
 * the end, or where it reads by itself. What comes through a pipe, a terminal or a socket cannot be looked at
 * before: the program's own reads are written down. Those of libc's streams do not pass through any function
 * that a library could stand for, so `stdin` becomes a stream that reads by one of ours. It has the
 * descriptor, the buffer and the line buffering that libc's has, so it takes from the pipe what libc's takes. */
#define _GNU_SOURCE
#include "recorder.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

enum kind { NOTHING, A_FILE, A_FLOW };

static enum kind kind;
static struct stat input;
static size_t kept;
static off_t begin;
static int used; /* of a file: it was read; of a flow: it is longer than the limit */

/* True if a descriptor is the standard input that the program was started with. */
int homi_is_input(int fd) {
  struct stat status;
  int kept_errno = errno, same;
  if (!homi_recording || kind == NOTHING || fd < 0) return 0;
  same = fstat(fd, &status) == 0 && status.st_dev == input.st_dev && status.st_ino == input.st_ino;
  errno = kept_errno;
  return same;
}

void homi_got_input(const void *bytes, size_t size) {
  if (kind == A_FILE && !used) used = 1, homi_event('U', 0, 0, 0, 0);
  if (kind != A_FLOW || !size) return;
  if (size > homi_limit - kept) {
    if (!used) used = 1, homi_event('C', "stdin", 5, 0, 0);
    size = homi_limit - kept;
  }
  kept += size;
  if (size) homi_event('S', bytes, size, 0, 0);
}

static ssize_t read_stream(void *cookie, char *buffer, size_t size) {
  ssize_t got = syscall(SYS_read, (int)(long)cookie, buffer, size);
  if (got > 0) homi_got_input(buffer, (size_t)got);
  return got;
}

/* Fails as on the descriptor itself, with its error. */
static int seek_stream(void *cookie, off64_t *place, int from) {
  off_t now = lseek((int)(long)cookie, (off_t)*place, from);
  if (now < 0) return -1;
  *place = now;
  return 0;
}

static int close_stream(void *cookie) {
  return (int)syscall(SYS_close, (int)(long)cookie);
}

/* A stream over a descriptor whose reads are seen. */
static FILE *stream_over(int fd) {
  cookie_io_functions_t functions = {.read = read_stream, .seek = seek_stream, .close = close_stream};
  FILE *stream = fopencookie((void *)(long)fd, "r", functions);
  if (!stream) return 0;
  stream->_fileno = fd;
  if (isatty(fd))
    setvbuf(stream, 0, _IOLBF, 1024);
  else
    setvbuf(stream, malloc((size_t)input.st_blksize), _IOFBF, (size_t)input.st_blksize);
  return stream;
}

/* Records the file's contents from its current position. */
static void keep_file(void) {
  char *content = malloc(homi_limit + 1);
  size_t size = 0;
  ssize_t got;
  begin = lseek(0, 0, SEEK_CUR);
  while (content && begin >= 0 && size <= homi_limit &&
         (got = syscall(SYS_pread64, 0, content + size, homi_limit + 1 - size, (long)begin + (long)size)) > 0)
    size += (size_t)got;
  if (size > homi_limit) homi_event('C', "stdin", 5, 0, 0), size = homi_limit;
  if (content) homi_event('R', content, size, 0, 0);
  free(content);
}

void homi_begin_input(void) {
  FILE *stream;
  if (fstat(0, &input) != 0) return;
  if (S_ISREG(input.st_mode)) {
    kind = A_FILE;
    keep_file();
  } else if (S_ISFIFO(input.st_mode) || S_ISSOCK(input.st_mode) || isatty(0)) {
    kind = A_FLOW;
    if ((stream = stream_over(0))) stdin = stream;
  }
}

/* libc's streams leave the file where the program has read to. */
__attribute__((destructor)) static void end(void) {
  if (homi_recording && kind == A_FILE && !used && homi_is_input(0) && lseek(0, 0, SEEK_CUR) != begin)
    homi_got_input(0, 0);
}

SHOWN ssize_t read(int fd, void *buffer, size_t size) {
  static ssize_t (*real)(int, void *, size_t);
  ssize_t got;
  if (!real) real = homi_next("read");
  got = real(fd, buffer, size);
  if (got >= 0 && homi_is_input(fd)) homi_got_input(buffer, (size_t)got);
  return got;
}

SHOWN ssize_t __read_chk(int fd, void *buffer, size_t size, size_t room) {
  static ssize_t (*real)(int, void *, size_t, size_t);
  ssize_t got;
  if (!real) real = homi_next("__read_chk");
  got = real(fd, buffer, size, room);
  if (got >= 0 && homi_is_input(fd)) homi_got_input(buffer, (size_t)got);
  return got;
}

SHOWN ssize_t readv(int fd, const struct iovec *parts, int count) {
  static ssize_t (*real)(int, const struct iovec *, int);
  ssize_t got, left;
  int index;
  if (!real) real = homi_next("readv");
  got = real(fd, parts, count);
  if (got >= 0 && homi_is_input(fd)) {
    for (index = 0, left = got; index < count && left > 0; index++) {
      size_t size = parts[index].iov_len < (size_t)left ? parts[index].iov_len : (size_t)left;
      homi_got_input(parts[index].iov_base, size);
      left -= (ssize_t)size;
    }
    if (!got) homi_got_input(0, 0);
  }
  return got;
}

/* Files only: a flow has no places. */
static void seen_at(int fd, ssize_t got) {
  if (got >= 0 && kind == A_FILE && homi_is_input(fd)) homi_got_input(0, 0);
}

SHOWN ssize_t pread(int fd, void *buffer, size_t size, off_t offset) {
  static ssize_t (*real)(int, void *, size_t, off_t);
  ssize_t got;
  if (!real) real = homi_next("pread");
  got = real(fd, buffer, size, offset);
  seen_at(fd, got);
  return got;
}

SHOWN ssize_t pread64(int fd, void *buffer, size_t size, off64_t offset) {
  return pread(fd, buffer, size, (off_t)offset);
}

SHOWN FILE *fdopen(int fd, const char *mode) {
  static FILE *(*real)(int, const char *);
  FILE *stream;
  if (!real) real = homi_next("fdopen");
  if (kind == A_FLOW && mode && mode[0] == 'r' && !strchr(mode, '+') && homi_is_input(fd)) {
    stream = stream_over(fd);
    if (stream) return stream;
  }
  return real(fd, mode);
}
