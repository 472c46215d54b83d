/* The families of read, write and lseek: the part that is common to all kinds of files. */
#include "internal.h"

enum { SEEK_SET, SEEK_CUR, SEEK_END, SEEK_DATA, SEEK_HOLE };
enum { MOST_PARTS = 1024 };

static int seekable(const struct open_file *file) { return file->inode->operations->is_seekable; }

long hk_file_read(struct open_file *file, void *buffer, uint64_t n, uint64_t offset) {
  const struct file_operations *operations = file->inode->operations;
  if (hk_bad(buffer))
    return hk_decide(n != 0) && (!operations->is_seekable || hk_decide(offset < (uint64_t)hk_stat_of(file->inode)->st_size)) ? -EFAULT : 0;
  return operations->read ? operations->read(file, buffer, n, offset) : -EBADF;
}

long hk_file_write(struct open_file *file, const void *buffer, uint64_t n, uint64_t offset) {
  const struct file_operations *operations = file->inode->operations;
  if (hk_bad(buffer)) return hk_decide(n != 0) ? -EFAULT : 0;
  if (operations->write) return operations->write(file, buffer, n, offset);
  homi_require_room(buffer, n, 0);
  return -EBADF;
}

/* Refuses to read a file that is open for reading and cannot be read. */
long hk_refuse_read(struct open_file *file, void *buffer, uint64_t n, uint64_t offset) {
  (void)file, (void)buffer, (void)n, (void)offset;
  return -EINVAL;
}

long hk_refuse_write(struct open_file *file, const void *buffer, uint64_t n, uint64_t offset) {
  (void)file, (void)offset;
  homi_require_room(buffer, n, 0);
  return -EINVAL;
}

int hk_is_always_ready(const struct inode *inode) { return (void)inode, 1; }

/* Mode 3 is for neither. */
static int readable(const struct open_file *file) {
  return (file->flags & O_ACCMODE) != O_WRONLY && (file->flags & O_ACCMODE) != 3 && !(file->flags & O_PATH);
}

static int writable(const struct open_file *file) {
  return (file->flags & O_ACCMODE) != O_RDONLY && (file->flags & O_ACCMODE) != 3 && !(file->flags & O_PATH);
}

/* Linux checks the parts of a call before it copies anything: 0 or -errno. A single part is a plain buffer. */
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
  const struct file_operations *operations = file->inode->operations;
  long done = 0, i;
  for (i = 0; i < count; i++) {
    long n;
    if (i > 0 && (vector[i].length == 0 || (operations->is_drained && operations->is_drained(file->inode)))) continue;
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
  if (file->inode->operations->read_parts) return file->inode->operations->read_parts(file, vector, count);
  n = read_parts(file, vector, count, (uint64_t)file->offset);
  if (n > 0) file->offset += n;
  return n;
}

long hk_readv(long descriptor, const struct io_vector *vector, long count) { return read_all(descriptor, vector, count, 0); }

long hk_read(long descriptor, void *buffer, uint64_t n) {
  struct io_vector vector = {buffer, n};
  return read_all(descriptor, &vector, 1, 1);
}

/* Puts out the first `written` bytes of a symbolic standard output. */
static void show(const struct io_vector *vector, long count, long written) {
  for (; count > 0 && written > 0; count--, vector++) {
    long n = written < (long)vector->length ? written : (long)vector->length;
    homi_output(1, vector->base, (uint64_t)n);
    written -= n;
  }
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
  if (file->inode->operations->write_parts) return file->inode->operations->write_parts(file, vector, count);
  {
    const int appends = (file->flags & O_APPEND) && seekable(file);
    const int64_t at = appends ? hk_stat_of(file->inode)->st_size : file->offset;
    n = write_parts(file, vector, count, (uint64_t)at);
    if (n > 0) file->offset = at + n;
  }
  if (hk.shown_output && file->inode == hk.shown_output) show(vector, count, n);
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
  file = hk_used_file(descriptor);
  if (!file) return -EBADF;
  if (!seekable(file)) return -ESPIPE;
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
  file = hk_used_file(descriptor);
  if (!file) return -EBADF;
  if (!seekable(file)) return -ESPIPE;
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

int64_t hk_seek_nowhere(struct open_file *file, int64_t offset, long whence) {
  (void)file, (void)offset, (void)whence;
  return 0;
}

int64_t hk_seek_by_size(struct open_file *file, int64_t offset, long whence) {
  const int64_t size = hk_stat_of(file->inode)->st_size;
  int64_t target;
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

long hk_lseek(long descriptor, int64_t offset, long whence) {
  enum { SEEK_MOST = 4 };
  struct open_file *file = hk_used_file(descriptor);
  if (!file) return -EBADF;
  if (hk_decide(((int)whence < 0) | ((int)whence > SEEK_MOST))) return -EINVAL;
  return file->inode->operations->seek ? file->inode->operations->seek(file, offset, whence) : -ESPIPE;
}
