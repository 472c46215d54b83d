/* The devices that every process has: /dev/null, zero, full, random and urandom. */
#include "internal.h"

static int64_t seek_to_start(struct open_file *file, int64_t offset, long whence) {
  (void)offset, (void)whence;
  return file->offset = 0;
}

/* A count for which there is no end. */
static uint64_t count_of(const void *buffer, uint64_t n) {
  homi_require_room(buffer, n, 1);
  return homi_concretize(n);
}

static long read_nothing(struct open_file *file, void *buffer, uint64_t n, uint64_t offset) {
  (void)file, (void)buffer, (void)n, (void)offset;
  return 0;
}

static long read_zeros(struct open_file *file, void *buffer, uint64_t n, uint64_t offset) {
  (void)file, (void)offset;
  n = count_of(buffer, n);
  memset(buffer, 0, n);
  return (long)n;
}

/* Deterministic bytes: a function of the position only. */
static long read_random(struct open_file *file, void *buffer, uint64_t n, uint64_t offset) {
  unsigned char *to = buffer;
  uint64_t i;
  (void)file;
  n = count_of(buffer, n);
  offset = homi_concretize(offset);
  for (i = 0; i < n; i++) {
    uint64_t x = (offset + i + 1) * 0x9e3779b97f4a7c15u;
    x ^= x >> 29;
    to[i] = (unsigned char)((x * 0xbf58476d1ce4e5b9u) >> 40);
  }
  return (long)n;
}

static long write_away(struct open_file *file, const void *buffer, uint64_t n, uint64_t offset) {
  (void)file, (void)buffer, (void)offset;
  return (long)n;
}

static long write_to_full(struct open_file *file, const void *buffer, uint64_t n, uint64_t offset) {
  (void)file, (void)buffer, (void)offset;
  return hk_decide(n != 0) ? -ENOSPC : 0;
}

const struct file_operations hk_null_device = {
  .kind = INODE_NULL, .is_seekable = 1, .link = "/dev/null", .read = read_nothing, .write = write_away,
  .seek = seek_to_start, .is_always_ready = hk_is_always_ready,
};

const struct file_operations hk_zero_device = {
  .kind = INODE_ZERO, .is_seekable = 1, .mapping = MAPS_A_COPY, .read = read_zeros, .write = write_away,
  .seek = seek_to_start, .is_always_ready = hk_is_always_ready,
};

const struct file_operations hk_full_device = {
  .kind = INODE_FULL, .is_seekable = 1, .read = read_zeros, .write = write_to_full, .seek = seek_to_start,
  .is_always_ready = hk_is_always_ready,
};

const struct file_operations hk_random_device = {
  .kind = INODE_RANDOM, .is_seekable = 1, .read = read_random, .write = write_away, .seek = seek_to_start,
};
