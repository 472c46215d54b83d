/* Files with contents, and files that cannot be opened. Offsets and counts may be symbolic. They are compared with the file's
 * size first, so that what makes no difference is one path; then there is a path for each value, or, where those are many,
 * the bytes are moved under conditions. */
#include "internal.h"

/* Bytes that are moved one by one at a symbolic place of a file. */
enum { MOST_MOVED = 256 };

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

/* Number of the n bytes at an offset that lie within a file of this size. */
static uint64_t bytes_at(uint64_t n, uint64_t offset, uint64_t size) {
  if (!hk_decide(offset < size)) return 0;
  return hk_decide(n > size - offset) ? size - offset : n;
}

static long read_memory(const struct inode *inode, void *buffer, uint64_t n, uint64_t offset) {
  n = bytes_at(n, offset, inode->size);
  if (!hk_decide(n > 0)) return 0;
  offset = homi_each_value(offset);
  n = homi_each_value(n);
  move(inode->data, offset, buffer, n, 0);
  return (long)n;
}

/* A write within the file may be at a symbolic offset; a write that extends it has one new size on each path. */
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
  hk_show_write(inode, buffer, n, offset);
  move(inode->data, offset, (unsigned char *)buffer, n, 1);
  hk_touch(inode);
  hk_tell_file(inode, NOTE_MODIFY);
  return (long)n;
}

static int64_t left_of_file(const struct open_file *file) {
  const int64_t left = hk_stat_of(file->inode)->st_size - file->offset;
  return left < 0 ? 0 : left;
}

/* ---- regular files ---- */

/* A read of a host file at a symbolic offset copies the contents into the kernel. */
static long read_host(struct inode *inode, void *buffer, uint64_t n, uint64_t offset) {
  if (is_symbolic(n) || is_symbolic(offset)) {
    long error = hk_own_contents(inode);
    return error < 0 ? error : read_memory(inode, buffer, n, offset);
  }
  return homi_host_read(inode->host_path, buffer, n, offset);
}

static long read_regular(struct open_file *file, void *buffer, uint64_t n, uint64_t offset) {
  struct inode *inode = file->inode;
  const long done = inode->host_path ? read_host(inode, buffer, n, offset) : read_memory(inode, buffer, n, offset);
  if (done > 0) hk_tell_file(inode, NOTE_ACCESS);
  return done;
}

static long write_regular(struct open_file *file, const void *buffer, uint64_t n, uint64_t offset) {
  homi_require_room(buffer, n, 0);
  if (file->inode->seals) {
    long error = hk_check_seals(file->inode, offset, &n);
    if (error < 0) return error;
  }
  return write_memory(file->inode, buffer, n, offset);
}

const struct file_operations hk_regular_file = {
  .kind = INODE_REGULAR, .is_seekable = 1, .mapping = MAPS_THE_FILE, .read = read_regular, .write = write_regular,
  .seek = hk_seek_by_size, .is_always_ready = hk_is_always_ready, .available = left_of_file,
};

/* ---- symbolic files and streams ---- */

/* True if reads fail because the file is a directory. Standard input has no name, so its type does not decide this. */
int hk_reads_directory(struct inode *inode) {
  return inode->kind == INODE_DIRECTORY || (inode->kind == INODE_SYMBOLIC && inode->place && hk_is_directory(inode));
}

static long read_symbolic(struct open_file *file, void *buffer, uint64_t n, uint64_t offset) {
  return hk_reads_directory(file->inode) ? -EISDIR : read_memory(file->inode, buffer, n, offset);
}

/* A symbolic standard output has no name, so it is never read: bytes that do not fit are only counted. */
static long write_unread(struct inode *inode, const void *buffer, uint64_t n, uint64_t offset) {
  struct kernel_stat *stat = inode->stat;
  const uint64_t kept = bytes_at(n, offset, inode->size);
  if (hk_decide(kept > 0)) move(inode->data, homi_each_value(offset), (unsigned char *)buffer, homi_each_value(kept), 1);
  if (hk_decide(offset + n > (uint64_t)stat->st_size)) stat->st_size = (int64_t)(offset + n);
  return (long)n;
}

static long write_symbolic(struct open_file *file, const void *buffer, uint64_t n, uint64_t offset) {
  homi_require_room(buffer, n, 0);
  return file->inode->place ? write_memory(file->inode, buffer, n, offset) : write_unread(file->inode, buffer, n, offset);
}

static int has_name(const struct inode *inode) { return inode->place != 0; }

const struct file_operations hk_symbolic_contents = {
  .kind = INODE_SYMBOLIC, .is_seekable = 1, .mapping = MAPS_THE_FILE, .read = read_symbolic, .write = write_symbolic,
  .seek = hk_seek_by_size, .is_always_ready = has_name, .available = left_of_file, .control = hk_control_terminal,
};

/* ---- concrete standard input and output ---- */

/* 0 bytes would ask what the input is. */
static long read_input(struct open_file *file, void *buffer, uint64_t n, uint64_t offset) {
  (void)file;
  n = homi_concretize(n);
  return n ? homi_stdin_read(buffer, n, homi_concretize(offset)) : 0;
}

/* Reads standard input that is a file, whose size is known. */
static long read_input_file(struct open_file *file, void *buffer, uint64_t n, uint64_t offset) {
  return read_input(file, buffer, bytes_at(n, offset, (uint64_t)file->inode->stat->st_size), offset);
}

const struct file_operations hk_input_file = {
  .kind = INODE_INPUT, .is_seekable = 1, .read = read_input_file, .seek = hk_seek_by_size,
  .is_always_ready = hk_is_always_ready, .available = left_of_file,
};

const struct file_operations hk_input_stream = {.kind = INODE_INPUT, .read = read_input, .available = left_of_file};

static long write_output(struct open_file *file, const void *buffer, uint64_t n, uint64_t offset) {
  (void)offset;
  homi_require_room(buffer, n, 0);
  if (hk_decide(n != 0)) homi_output(file->inode->stream, buffer, n);
  return (long)n;
}

const struct file_operations hk_output = {.kind = INODE_OUTPUT, .link = "pipe:[1]", .write = write_output};

/* ---- what has no contents to read ---- */

static long read_directory(struct open_file *file, void *buffer, uint64_t n, uint64_t offset) {
  (void)file, (void)buffer, (void)n, (void)offset;
  return -EISDIR;
}

const struct file_operations hk_directory = {
  .kind = INODE_DIRECTORY, .is_seekable = 1, .read = read_directory, .seek = hk_seek_by_size,
  .is_always_ready = hk_is_always_ready,
};

/* These are only named by descriptors (O_PATH). */
const struct file_operations hk_link_file = {.kind = INODE_LINK, .is_seekable = 1, .seek = hk_seek_by_size};

const struct file_operations hk_no_terminal = {
  .kind = INODE_TERMINAL, .is_seekable = 1, .open_error = -ENXIO, .seek = hk_seek_by_size,
};

const struct file_operations hk_other_file = {
  .kind = INODE_OTHER, .is_seekable = 1, .open_error = -ENXIO, .seek = hk_seek_by_size,
};
