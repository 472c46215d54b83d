/* Moving bytes between a program's buffers and files. Offsets and counts may be symbolic: they are
 * compared with the file's size first (which may fork) and fixed to one value only when bytes move. */
#include "internal.h"

enum { SEEK_SET, SEEK_CUR, SEEK_END, SEEK_DATA, SEEK_HOLE };

static int seekable(const struct inode *inode) {
  if (inode->kind == INODE_STDIN) return (inode->stat->st_mode & S_IFMT) == S_IFREG;
  return inode->kind != INODE_PIPE && inode->kind != INODE_OUTPUT && inode->kind <= INODE_OTHER;
}

static long read_memory(const struct inode *inode, void *buffer, uint64_t n, uint64_t offset) {
  if (!hk_decide(offset < inode->size)) return 0;
  if (hk_decide(n > inode->size - offset)) n = inode->size - offset;
  n = homi_concretize(n);
  offset = homi_concretize(offset);
  memcpy(buffer, inode->data + offset, n);
  return (long)n;
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

long hk_file_read(struct open_file *file, void *buffer, uint64_t n, uint64_t offset) {
  struct inode *inode = file->inode;
  long done;
  if (hk_bad(buffer)) return n && (!seekable(inode) || offset < (uint64_t)hk_stat_of(inode)->st_size) ? -EFAULT : 0;
  switch (inode->kind) {
  case INODE_REGULAR:
    done = inode->host_path ? homi_host_read(inode->host_path, buffer, homi_concretize(n), homi_concretize(offset))
                            : read_memory(inode, buffer, n, offset);
    if (done > 0) hk_tell_file(inode, NOTE_ACCESS);
    return done;
  case INODE_SYMBOLIC:
    /* Standard input has no name: a process cannot be told from its type that it reads a directory. */
    if (inode->place && hk_is_directory(inode)) return -EISDIR;
    return read_memory(inode, buffer, n, offset);
  case INODE_STDIN:
    n = homi_concretize(n);
    return n ? homi_stdin_read(buffer, n, homi_concretize(offset)) : 0; /* 0 bytes would ask what the input is */
  case INODE_PIPE: return hk_pipe_read(file, buffer, homi_concretize(n));
  case INODE_SOCKET: {
    struct io_vector part = {buffer, n};
    return hk_socket_receive(file, &part, 1);
  }
  case INODE_DIRECTORY: return -EISDIR;
  case INODE_NULL: return 0;
  case INODE_ZERO:
  case INODE_FULL:
    n = homi_concretize(n);
    memset(buffer, 0, n);
    return (long)n;
  case INODE_RANDOM: return read_random(buffer, homi_concretize(n), offset);
  case INODE_EVENT: case INODE_TIMER: case INODE_SIGNALS: return hk_event_read(file, buffer, homi_concretize(n));
  case INODE_EPOLL: return -EINVAL;
  case INODE_NOTIFY: return hk_notify_read(file, buffer, homi_concretize(n));
  default: return -EBADF;
  }
}

/* A symbolic file keeps its size: bytes beyond it are dropped, the call succeeds all the same. */
static long write_symbolic(struct inode *inode, const void *buffer, uint64_t n, uint64_t offset) {
  uint64_t kept = n;
  if (hk.save_all_writes && offset + n > inode->size) {
    unsigned char *grown = realloc(inode->data, offset + n);
    if (!grown) return -ENOSPC;
    memset(grown + inode->size, 0, offset + n - inode->size);
    inode->data = grown;
    inode->size = offset + n;
    inode->stat->st_size = (int64_t)inode->size;
  }
  if (offset >= inode->size) return (long)n;
  if (kept > inode->size - offset) kept = inode->size - offset;
  memcpy(inode->data + offset, buffer, kept);
  return (long)n;
}

static long write_memory(struct inode *inode, const void *buffer, uint64_t n, uint64_t offset) {
  long error = hk_own_contents(inode);
  if (error < 0) return error;
  if (n == 0) return 0;
  if (offset + n > inode->size) error = hk_resize(inode, offset + n);
  if (error < 0) return error;
  memcpy(inode->data + offset, buffer, n);
  hk_touch(inode);
  hk_tell_file(inode, NOTE_MODIFY);
  return (long)n;
}

long hk_file_write(struct open_file *file, const void *buffer, uint64_t n, uint64_t offset) {
  struct inode *inode = file->inode;
  n = homi_concretize(n);
  offset = homi_concretize(offset);
  if (hk_bad(buffer)) return n ? -EFAULT : 0;
  switch (inode->kind) {
  case INODE_REGULAR: return write_memory(inode, buffer, n, offset);
  case INODE_SYMBOLIC: return write_symbolic(inode, buffer, n, offset);
  case INODE_OUTPUT:
    if (n) homi_output(inode->stream, buffer, n);
    return (long)n;
  case INODE_PIPE: return hk_pipe_write(file, buffer, n);
  case INODE_SOCKET: {
    struct io_vector part = {(char *)buffer, n};
    return hk_socket_send(file, &part, 1, 0);
  }
  case INODE_NULL: case INODE_ZERO: case INODE_RANDOM: return (long)n;
  case INODE_FULL: return n ? -ENOSPC : 0;
  case INODE_EVENT: return hk_event_write(file, buffer, n);
  case INODE_TIMER: case INODE_SIGNALS: case INODE_EPOLL: return -EINVAL;
  default: return -EBADF;
  }
}

static int readable(const struct open_file *file) {
  return (file->flags & O_ACCMODE) != O_WRONLY && !(file->flags & O_PATH);
}

static int writable(const struct open_file *file) {
  return (file->flags & O_ACCMODE) != O_RDONLY && !(file->flags & O_PATH);
}

long hk_read(long descriptor, void *buffer, uint64_t n) {
  struct io_vector vector = {buffer, n};
  return hk_readv(descriptor, &vector, 1);
}

long hk_write(long descriptor, const void *buffer, uint64_t n) {
  struct io_vector vector = {(char *)buffer, n};
  return hk_writev(descriptor, &vector, 1);
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

long hk_readv(long descriptor, const struct io_vector *vector, long count) {
  int call = hk_count_call(FAIL_READ);
  struct open_file *file = hk_file(descriptor);
  long n;
  if (!file || !readable(file)) return -EBADF;
  if (hk_fails(FAIL_READ, call)) return -EIO;
  count = (int)homi_concretize((unsigned long)count);
  if (count < 0 || count > 1024) return -EINVAL;
  if (file->inode->kind == INODE_SOCKET) return hk_socket_receive(file, vector, count);
  n = read_parts(file, vector, count, (uint64_t)file->offset);
  if (n > 0) file->offset += n;
  return n;
}

long hk_writev(long descriptor, const struct io_vector *vector, long count) {
  int call = hk_count_call(FAIL_WRITE);
  struct open_file *file = hk_file(descriptor);
  long n;
  if (!file || !writable(file)) return -EBADF;
  if (hk_fails(FAIL_WRITE, call)) return -EIO;
  count = (int)homi_concretize((unsigned long)count);
  if (count < 0 || count > 1024) return -EINVAL;
  if (file->inode->kind == INODE_SOCKET) return hk_socket_send(file, vector, count, 0);
  if ((file->flags & O_APPEND) && seekable(file->inode)) file->offset = hk_stat_of(file->inode)->st_size;
  n = write_parts(file, vector, count, (uint64_t)file->offset);
  if (n > 0) file->offset += n;
  return n;
}

long hk_preadv(long descriptor, const struct io_vector *vector, long count, int64_t offset) {
  int call = hk_count_call(FAIL_READ);
  struct open_file *file = hk_file(descriptor);
  if (!file || !readable(file)) return -EBADF;
  if (hk_fails(FAIL_READ, call)) return -EIO;
  if (!seekable(file->inode)) return -ESPIPE;
  if (offset < 0) return -EINVAL;
  return read_parts(file, vector, (int)homi_concretize((unsigned long)count), (uint64_t)offset);
}

long hk_pwritev(long descriptor, const struct io_vector *vector, long count, int64_t offset) {
  int call = hk_count_call(FAIL_WRITE);
  struct open_file *file = hk_file(descriptor);
  if (!file || !writable(file)) return -EBADF;
  if (hk_fails(FAIL_WRITE, call)) return -EIO;
  if (!seekable(file->inode)) return -ESPIPE;
  if (offset < 0) return -EINVAL;
  if (file->flags & O_APPEND) offset = hk_stat_of(file->inode)->st_size;
  return write_parts(file, vector, (int)homi_concretize((unsigned long)count), (uint64_t)offset);
}

long hk_pread(long descriptor, void *buffer, uint64_t n, int64_t offset) {
  struct io_vector vector = {buffer, n};
  return hk_preadv(descriptor, &vector, 1, offset);
}

long hk_pwrite(long descriptor, const void *buffer, uint64_t n, int64_t offset) {
  struct io_vector vector = {(char *)buffer, n};
  return hk_pwritev(descriptor, &vector, 1, offset);
}

long hk_lseek(long descriptor, int64_t offset, long whence) {
  struct open_file *file = hk_file(descriptor);
  int64_t size, target;
  if (!file) return -EBADF;
  if ((file->inode->kind >= INODE_EVENT && file->inode->kind <= INODE_EPOLL) || file->inode->kind == INODE_NOTIFY) return 0;
  if (!seekable(file->inode)) return -ESPIPE;
  if (file->inode->kind >= INODE_NULL && file->inode->kind <= INODE_RANDOM) return file->offset = 0;
  size = hk_stat_of(file->inode)->st_size;
  switch ((int)homi_concretize((unsigned long)whence)) {
  case SEEK_SET: target = offset; break;
  case SEEK_CUR: target = file->offset + offset; break;
  case SEEK_END: target = size + offset; break;
  case SEEK_DATA: /* no file has holes */
    if (offset < 0 || offset >= size) return -ENXIO;
    target = offset;
    break;
  case SEEK_HOLE:
    if (offset < 0 || offset >= size) return -ENXIO;
    target = size;
    break;
  default: return -EINVAL;
  }
  if (target < 0) return -EINVAL;
  return file->offset = target;
}
