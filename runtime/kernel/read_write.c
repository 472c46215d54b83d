/* Moving bytes between a program's buffers and files. Offsets and counts may be symbolic. They are compared with the file's
 * size first, so that what makes no difference is one path; then there is a path for each value, or, where those are many,
 * the bytes are moved under conditions. */
#include "internal.h"

enum { SEEK_SET, SEEK_CUR, SEEK_END, SEEK_DATA, SEEK_HOLE };
/* Bytes that are moved one by one at a symbolic place of a file. */
enum { MOST_MOVED = 256, MOST_PARTS = 1024 };

static int seekable(const struct inode *inode) {
  if (inode->kind == INODE_STDIN) return (inode->stat->st_mode & S_IFMT) == S_IFREG;
  return inode->kind != INODE_PIPE && inode->kind != INODE_OUTPUT && inode->kind <= INODE_OTHER;
}

static int is_symbolic(uint64_t value) { return klee_is_symbolic(value) != 0; }

/* Copies between a buffer and a file's bytes, all of which exist. At a symbolic place bytes go one by one; many of
 * them only from or to one place. */
static void move(unsigned char *file, uint64_t offset, unsigned char *buffer, uint64_t n, int into_file) {
  uint64_t i;
  if (is_symbolic(offset) && !is_symbolic(n) && n <= MOST_MOVED) {
    for (i = 0; i < n; i++)
      if (into_file) file[offset + i] = buffer[i];
      else buffer[i] = file[offset + i];
    return;
  }
  offset = homi_concretize(offset);
  if (into_file) homi_copy(file + offset, buffer, n);
  else homi_copy(buffer, file + offset, n);
}

/* How many of n bytes at an offset a file of this size has. */
static uint64_t available(uint64_t n, uint64_t offset, uint64_t size) {
  if (!hk_decide(offset < size)) return 0;
  return hk_decide(n > size - offset) ? size - offset : n;
}

static long read_memory(const struct inode *inode, void *buffer, uint64_t n, uint64_t offset) {
  n = available(n, offset, inode->size);
  if (!hk_decide(n > 0)) return 0;
  offset = homi_each_value(offset);
  n = homi_each_value(n);
  move(inode->data, offset, buffer, n, 0);
  return (long)n;
}

/* What of a file of the host is read at symbolic places lies in the kernel from then on. */
static long read_host(struct inode *inode, void *buffer, uint64_t n, uint64_t offset) {
  if (is_symbolic(n) || is_symbolic(offset)) {
    long error = hk_own_contents(inode);
    return error < 0 ? error : read_memory(inode, buffer, n, offset);
  }
  return homi_host_read(inode->host_path, buffer, n, offset);
}

/* Of a file its size is known. */
static long read_input(const struct inode *inode, void *buffer, uint64_t n, uint64_t offset) {
  if (seekable(inode)) n = available(n, offset, (uint64_t)inode->stat->st_size);
  n = homi_concretize(n);
  return n ? homi_stdin_read(buffer, n, homi_concretize(offset)) : 0; /* 0 bytes would ask what the input is */
}

/* A count for which there is no end. */
static uint64_t count_of(const void *buffer, uint64_t n, int writing) {
  homi_require_room(buffer, n, writing);
  return homi_concretize(n);
}

/* Deterministic bytes: a function of the position only. */
static long read_random(unsigned char *buffer, uint64_t n, uint64_t offset) {
  uint64_t i;
  for (i = 0; i < n; i++) {
    uint64_t x = (offset + i + 1) * 0x9e3779b97f4a7c15u;
    x ^= x >> 29;
    buffer[i] = (unsigned char)((x * 0xbf58476d1ce4e5b9u) >> 40);
  }
  return (long)n;
}

/* Standard input has no name: a process cannot be told from its type that it reads a directory. */
int hk_reads_directory(struct inode *inode) {
  return inode->kind == INODE_DIRECTORY || (inode->kind == INODE_SYMBOLIC && inode->place && hk_is_directory(inode));
}

long hk_file_read(struct open_file *file, void *buffer, uint64_t n, uint64_t offset) {
  struct inode *inode = file->inode;
  long done;
  if (hk_bad(buffer))
    return hk_decide(n != 0) && (!seekable(inode) || hk_decide(offset < (uint64_t)hk_stat_of(inode)->st_size)) ? -EFAULT : 0;
  switch (inode->kind) {
  case INODE_REGULAR:
    done = inode->host_path ? read_host(inode, buffer, n, offset) : read_memory(inode, buffer, n, offset);
    if (done > 0) hk_tell_file(inode, NOTE_ACCESS);
    return done;
  case INODE_SYMBOLIC:
    if (hk_reads_directory(inode)) return -EISDIR;
    return read_memory(inode, buffer, n, offset);
  case INODE_STDIN: return read_input(inode, buffer, n, offset);
  case INODE_PIPE: return hk_pipe_read(file, buffer, n);
  case INODE_SOCKET: {
    struct io_vector part = {buffer, n};
    return hk_socket_receive(file, &part, 1);
  }
  case INODE_DIRECTORY: return -EISDIR;
  case INODE_NULL: return 0;
  case INODE_ZERO:
  case INODE_FULL:
    n = count_of(buffer, n, 1);
    memset(buffer, 0, n);
    return (long)n;
  case INODE_RANDOM: return read_random(buffer, count_of(buffer, n, 1), homi_concretize(offset));
  case INODE_EVENT: case INODE_TIMER: case INODE_SIGNALS: return hk_event_read(file, buffer, n);
  case INODE_EPOLL: return -EINVAL;
  case INODE_NOTIFY: return hk_notify_read(file, buffer, n);
  default: return -EBADF;
  }
}

/* What lies within the file may lie anywhere there; where it grows, it grows to one size on each path. */
static long write_memory(struct inode *inode, const void *buffer, uint64_t n, uint64_t offset) {
  long error = hk_own_contents(inode);
  if (error < 0) return error;
  if (!hk_decide(n > 0)) return 0;
  if (hk_decide(offset + n > LARGEST_FILE)) return -EFBIG;
  offset = homi_each_value(offset);
  n = homi_each_value(n);
  if (hk_decide(offset + n > inode->size)) {
    offset = homi_concretize(offset);
    n = homi_concretize(n);
    error = hk_resize(inode, offset + n);
    if (error < 0) return error;
  }
  move(inode->data, offset, (unsigned char *)buffer, n, 1);
  hk_touch(inode);
  hk_tell_file(inode, NOTE_MODIFY);
  return (long)n;
}

/* A symbolic standard output has no name, so nobody reads it: what does not fit is only counted. */
static long write_unread(struct inode *inode, const void *buffer, uint64_t n, uint64_t offset) {
  struct kernel_stat *stat = inode->stat;
  const uint64_t kept = available(n, offset, inode->size);
  if (hk_decide(kept > 0)) move(inode->data, homi_each_value(offset), (unsigned char *)buffer, homi_each_value(kept), 1);
  if (hk_decide(offset + n > (uint64_t)stat->st_size)) stat->st_size = (int64_t)(offset + n);
  return (long)n;
}

long hk_file_write(struct open_file *file, const void *buffer, uint64_t n, uint64_t offset) {
  struct inode *inode = file->inode;
  if (hk_bad(buffer)) return hk_decide(n != 0) ? -EFAULT : 0;
  if (inode->kind == INODE_NULL || inode->kind == INODE_ZERO || inode->kind == INODE_RANDOM) return (long)n;
  if (inode->kind == INODE_FULL) return hk_decide(n != 0) ? -ENOSPC : 0;
  if (inode->kind == INODE_EVENT) return hk_event_write(file, buffer, n);
  homi_require_room(buffer, n, 0);
  switch (inode->kind) {
  case INODE_SYMBOLIC:
    if (!inode->place) return write_unread(inode, buffer, n, offset);
    return write_memory(inode, buffer, n, offset);
  case INODE_REGULAR: return write_memory(inode, buffer, n, offset);
  case INODE_OUTPUT:
    if (hk_decide(n != 0)) homi_output(inode->stream, buffer, n);
    return (long)n;
  case INODE_PIPE: return hk_pipe_write(file, buffer, homi_concretize(n));
  case INODE_SOCKET: {
    struct io_vector part = {(char *)buffer, n};
    return hk_socket_send(file, &part, 1, 0);
  }
  case INODE_TIMER: case INODE_SIGNALS: case INODE_EPOLL: return -EINVAL;
  default: return -EBADF;
  }
}

/* Mode 3 is for neither. */
static int readable(const struct open_file *file) {
  return (file->flags & O_ACCMODE) != O_WRONLY && (file->flags & O_ACCMODE) != 3 && !(file->flags & O_PATH);
}

static int writable(const struct open_file *file) {
  return (file->flags & O_ACCMODE) != O_RDONLY && (file->flags & O_ACCMODE) != 3 && !(file->flags & O_PATH);
}

/* What Linux checks of the parts of a call before it moves anything: 0 or -errno. A part alone is a plain buffer. */
static long check_parts(const struct io_vector *vector, long count, int is_plain) {
  long i;
  for (i = 0; i < count; i++) {
    if (!is_plain && hk_decide((int64_t)vector[i].length < 0)) return -EINVAL;
    if (hk_decide(vector[i].length >= ALL_MEMORY)) return -EFAULT;
  }
  return 0;
}

/* One call, however many parts: --max-fail counts it once. Ends at the first short part. */
static long read_parts(struct open_file *file, const struct io_vector *vector, long count, uint64_t offset) {
  long done = 0, i;
  for (i = 0; i < count; i++) {
    long n;
    if (i > 0 && (vector[i].length == 0 || (file->inode->kind == INODE_PIPE && file->inode->size == 0))) continue;
    n = hk_file_read(file, vector[i].base, vector[i].length, offset + (uint64_t)done);
    if (n < 0) return done ? done : n;
    done += n;
    if ((uint64_t)n < vector[i].length) break;
  }
  return done;
}

static long write_parts(struct open_file *file, const struct io_vector *vector, long count, uint64_t offset) {
  long done = 0, i;
  for (i = 0; i < count; i++) {
    long n = hk_file_write(file, vector[i].base, vector[i].length, offset + (uint64_t)done);
    if (n < 0) return done ? done : n;
    done += n;
    if ((uint64_t)n < vector[i].length) break;
  }
  return done;
}

static long read_all(long descriptor, const struct io_vector *vector, long count, int is_plain) {
  int call = hk_count_call(FAIL_READ);
  struct open_file *file = hk_file(descriptor);
  long n;
  if (!file || !readable(file)) return -EBADF;
  if (hk_fails(FAIL_READ, call)) return -EIO;
  count = hk_int(count, 0, MOST_PARTS);
  if (count > MOST_PARTS) return -EINVAL;
  n = check_parts(vector, count, is_plain);
  if (n < 0) return n;
  if (file->inode->kind == INODE_SOCKET) return hk_socket_receive(file, vector, count);
  n = read_parts(file, vector, count, (uint64_t)file->offset);
  if (n > 0) file->offset += n;
  return n;
}

long hk_readv(long descriptor, const struct io_vector *vector, long count) { return read_all(descriptor, vector, count, 0); }

long hk_read(long descriptor, void *buffer, uint64_t n) {
  struct io_vector vector = {buffer, n};
  return read_all(descriptor, &vector, 1, 1);
}

static long write_all(long descriptor, const struct io_vector *vector, long count, int is_plain) {
  int call = hk_count_call(FAIL_WRITE);
  struct open_file *file = hk_file(descriptor);
  long n;
  if (!file || !writable(file)) return -EBADF;
  if (hk_fails(FAIL_WRITE, call)) return -EIO;
  count = hk_int(count, 0, MOST_PARTS);
  if (count > MOST_PARTS) return -EINVAL;
  n = check_parts(vector, count, is_plain);
  if (n < 0) return n;
  if (file->inode->kind == INODE_SOCKET) return hk_socket_send(file, vector, count, 0);
  if ((file->flags & O_APPEND) && seekable(file->inode)) file->offset = hk_stat_of(file->inode)->st_size;
  n = write_parts(file, vector, count, (uint64_t)file->offset);
  if (n > 0) file->offset += n;
  return n;
}

long hk_writev(long descriptor, const struct io_vector *vector, long count) { return write_all(descriptor, vector, count, 0); }

long hk_write(long descriptor, const void *buffer, uint64_t n) {
  struct io_vector vector = {(char *)buffer, n};
  return write_all(descriptor, &vector, 1, 1);
}

/* Linux looks at the offset before anything else. */
static long read_at(long descriptor, const struct io_vector *vector, long count, int64_t offset, int is_plain) {
  int call = hk_count_call(FAIL_READ);
  struct open_file *file;
  long error;
  if (hk_decide(offset < 0)) return -EINVAL;
  file = hk_file(descriptor);
  if (!file) return -EBADF;
  if (!seekable(file->inode)) return -ESPIPE;
  if (!readable(file)) return -EBADF;
  if (hk_fails(FAIL_READ, call)) return -EIO;
  count = hk_int(count, 0, MOST_PARTS);
  if (count > MOST_PARTS) return -EINVAL;
  error = check_parts(vector, count, is_plain);
  return error < 0 ? error : read_parts(file, vector, count, (uint64_t)offset);
}

static long write_at(long descriptor, const struct io_vector *vector, long count, int64_t offset, int is_plain) {
  int call = hk_count_call(FAIL_WRITE);
  struct open_file *file;
  long error;
  if (hk_decide(offset < 0)) return -EINVAL;
  file = hk_file(descriptor);
  if (!file) return -EBADF;
  if (!seekable(file->inode)) return -ESPIPE;
  if (!writable(file)) return -EBADF;
  if (hk_fails(FAIL_WRITE, call)) return -EIO;
  count = hk_int(count, 0, MOST_PARTS);
  if (count > MOST_PARTS) return -EINVAL;
  error = check_parts(vector, count, is_plain);
  if (error < 0) return error;
  if (file->flags & O_APPEND) offset = hk_stat_of(file->inode)->st_size;
  return write_parts(file, vector, count, (uint64_t)offset);
}

long hk_preadv(long descriptor, const struct io_vector *vector, long count, int64_t offset) {
  return read_at(descriptor, vector, count, offset, 0);
}

long hk_pwritev(long descriptor, const struct io_vector *vector, long count, int64_t offset) {
  return write_at(descriptor, vector, count, offset, 0);
}

/* Offset -1 is the file's own. */
long hk_preadv2(long descriptor, const struct io_vector *vector, long count, int64_t offset) {
  return offset == -1 ? hk_readv(descriptor, vector, count) : hk_preadv(descriptor, vector, count, offset);
}

long hk_pwritev2(long descriptor, const struct io_vector *vector, long count, int64_t offset) {
  return offset == -1 ? hk_writev(descriptor, vector, count) : hk_pwritev(descriptor, vector, count, offset);
}

long hk_pread(long descriptor, void *buffer, uint64_t n, int64_t offset) {
  struct io_vector vector = {buffer, n};
  return read_at(descriptor, &vector, 1, offset, 1);
}

long hk_pwrite(long descriptor, const void *buffer, uint64_t n, int64_t offset) {
  struct io_vector vector = {(char *)buffer, n};
  return write_at(descriptor, &vector, 1, offset, 1);
}

long hk_lseek(long descriptor, int64_t offset, long whence) {
  struct open_file *file = hk_file(descriptor);
  int64_t size, target;
  if (!file) return -EBADF;
  if ((file->inode->kind >= INODE_EVENT && file->inode->kind <= INODE_EPOLL) || file->inode->kind == INODE_NOTIFY) return 0;
  if (!seekable(file->inode)) return -ESPIPE;
  if (file->inode->kind >= INODE_NULL && file->inode->kind <= INODE_RANDOM) return file->offset = 0;
  size = hk_stat_of(file->inode)->st_size;
  switch (hk_int(whence, SEEK_SET, SEEK_HOLE)) {
  case SEEK_SET: target = offset; break;
  case SEEK_CUR: target = (int64_t)((uint64_t)file->offset + (uint64_t)offset); break;
  case SEEK_END: target = (int64_t)((uint64_t)size + (uint64_t)offset); break;
  case SEEK_DATA: /* no file has holes */
    if (hk_decide((uint64_t)offset >= (uint64_t)size)) return -ENXIO;
    target = offset;
    break;
  case SEEK_HOLE:
    if (hk_decide((uint64_t)offset >= (uint64_t)size)) return -ENXIO;
    target = size;
    break;
  default: return -EINVAL;
  }
  if (hk_decide((uint64_t)target > LARGEST_FILE)) return -EINVAL;
  return file->offset = target;
}
