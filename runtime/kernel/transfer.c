/* Bytes from file to file, and changes of a file's size. */
#include "internal.h"

static int regular(const struct inode *inode) {
  return inode->kind == INODE_REGULAR || inode->kind == INODE_SYMBOLIC;
}

/* copy_file_range (need_regular) and sendfile. Null offsets stand for the files' own. */
long hk_copy(long in, int64_t *in_offset, long out, int64_t *out_offset, uint64_t n, int need_regular) {
  struct open_file *source = hk_used_file(in), *sink = hk_used_file(out);
  long done = 0;
  uint64_t part = 65536;
  if (!source || !sink) return -EBADF;
  if (need_regular && (hk_reads_directory(source->inode) || hk_is_directory(sink->inode))) return -EISDIR;
  if (need_regular && (!regular(source->inode) || !regular(sink->inode))) return -EINVAL;
  if ((source->flags & O_ACCMODE) == O_WRONLY || (sink->flags & O_ACCMODE) == O_RDONLY) return -EBADF;
  if (hk_reads_directory(source->inode)) return -EINVAL;
  if (sink->flags & O_APPEND) return need_regular ? -EBADF : -EINVAL;
  int64_t *from = in_offset ? in_offset : &source->offset;
  int64_t *to = out_offset ? out_offset : &sink->offset;
  if (need_regular && hk_decide(((uint64_t)*from + n < n) | ((uint64_t)*to + n < n))) return -EOVERFLOW;
  if (hk_decide((*from < 0) | (*to < 0))) return -EINVAL;
  if (regular(source->inode) && !hk_reads_directory(source->inode)) {
    const uint64_t size = (uint64_t)hk_stat_of(source->inode)->st_size;
    if (hk_decide((uint64_t)*from >= size)) return 0;
    if (hk_decide(n > size - (uint64_t)*from)) n = size - (uint64_t)*from;
  }
  if (need_regular && source->inode == sink->inode &&
      hk_decide(((uint64_t)*to + n > (uint64_t)*from) & ((uint64_t)*to < (uint64_t)*from + n)))
    return -EINVAL;
  n = homi_concretize(n);
  if (part > n) part = n;
  if (part == 0) return 0;
  char *buffer = malloc(part);
  while (n > 0) {
    long got = hk_file_read(source, buffer, n < part ? n : part, (uint64_t)*from), put;
    if (got <= 0) {
      if (done == 0) done = got;
      break;
    }
    put = hk_file_write(sink, buffer, (uint64_t)got, (uint64_t)*to);
    if (put <= 0) {
      if (done == 0) done = put;
      break;
    }
    *from += put;
    *to += put;
    done += put;
    n -= (uint64_t)put;
  }
  free(buffer);
  return done;
}

static long set_length(struct inode *inode, int64_t size) {
  if (inode->seals && hk_is_sealed_against_size(inode, (uint64_t)size)) return -EPERM;
  if (hk_decide((uint64_t)size > LARGEST_FILE)) return -EFBIG;
  long error = hk_resize(inode, homi_concretize((uint64_t)size));
  if (error == 0) hk_touch(inode);
  if (error == 0) hk_tell_file(inode, NOTE_MODIFY);
  return error;
}

long hk_truncate(const char *path, int64_t size) {
  struct place place;
  long error;
  if (hk_decide(size < 0)) return -EINVAL;
  error = hk_walk(AT_FDCWD, path, WALK_FOLLOW, &place);
  if (error < 0) return error;
  if (hk_is_directory(place.inode)) return -EISDIR;
  if (!hk_is_regular(place.inode)) return -EINVAL;
  if (!hk_allowed(place.inode, MAY_WRITE)) return -EACCES;
  return set_length(place.inode, size);
}

long hk_ftruncate(long descriptor, int64_t size) {
  int call = hk_count_call(FAIL_TRUNCATE);
  struct open_file *file = hk_used_file(descriptor);
  if (hk_decide(size < 0)) return -EINVAL;
  if (!file) return -EBADF;
  if (hk_fails(FAIL_TRUNCATE, call)) return -EIO;
  if ((file->flags & O_ACCMODE) == O_RDONLY || !hk_is_regular(file->inode)) return -EINVAL;
  return set_length(file->inode, size);
}

/* Modes of fallocate. */
enum { KEEP_SIZE = 1, PUNCH_HOLE = 2, COLLAPSE_RANGE = 8, ZERO_RANGE = 16, INSERT_RANGE = 32, MODES = 63, ZEROS = 4096 };

/* Fills what the file has of a range with zeros. */
static long clear(struct open_file *file, uint64_t offset, uint64_t n) {
  uint64_t size = homi_concretize((uint64_t)hk_stat_of(file->inode)->st_size), end;
  offset = homi_concretize(offset);
  n = homi_concretize(n);
  if (offset >= size) return 0;
  end = n < size - offset ? offset + n : size;
  char *zeros = calloc(1, ZEROS);
  while (offset < end) {
    long put = hk_file_write(file, zeros, end - offset < ZEROS ? end - offset : ZEROS, offset);
    if (put <= 0) {
      free(zeros);
      return put;
    }
    offset += (uint64_t)put;
  }
  free(zeros);
  return 0;
}

long hk_fallocate(long descriptor, long mode, int64_t offset, int64_t n) {
  struct open_file *file = hk_used_file(descriptor);
  if (!file) return -EBADF;
  if (hk_decide((offset < 0) | (n <= 0))) return -EINVAL;
  mode = hk_int(mode, 0, MODES);
  if (mode > KEEP_SIZE && mode != (PUNCH_HOLE | KEEP_SIZE) && (mode & ~KEEP_SIZE) != ZERO_RANGE) {
    /* Blocks are not taken out of the middle here; ranges that are no whole blocks cannot be. */
    const int is_shift = mode == COLLAPSE_RANGE || mode == INSERT_RANGE;
    return is_shift && hk_decide(((uint64_t)(offset | n) & 4095) != 0) ? -EINVAL : -EOPNOTSUPP;
  }
  if ((file->flags & O_ACCMODE) == O_RDONLY) return -EBADF;
  if (file->inode->kind == INODE_PIPE) return -ESPIPE;
  if (!hk_is_regular(file->inode)) return -ENODEV;
  if (mode == KEEP_SIZE) return 0;
  if (mode == (PUNCH_HOLE | KEEP_SIZE) || mode == (ZERO_RANGE | KEEP_SIZE)) return clear(file, (uint64_t)offset, (uint64_t)n);
  if (mode == ZERO_RANGE) {
    long error = clear(file, (uint64_t)offset, (uint64_t)n);
    if (error < 0) return error;
  }
  if (hk_decide((uint64_t)offset + (uint64_t)n > LARGEST_FILE)) return -EFBIG;
  if (hk_decide(offset + n <= hk_stat_of(file->inode)->st_size)) return 0;
  return set_length(file->inode, offset + n);
}
