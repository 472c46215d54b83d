/* Calls that return a file's metadata. The stat of a symbolic file is copied unchanged: 144 symbolic
 * bytes, so these calls do not fork. */
#include "internal.h"

static long copy_stat(struct inode *inode, struct kernel_stat *result, int follow) {
  if (hk_bad(result)) return -EFAULT;
  memcpy(result, hk_stat_of(inode), sizeof *result);
  if (follow) hk_follow(inode, result);
  return 0;
}

static int walk_flags(long flags) {
  return (flags & AT_SYMLINK_NOFOLLOW ? 0 : WALK_FOLLOW) | (flags & AT_EMPTY_PATH ? WALK_EMPTY : 0);
}

long hk_stat(long directory, const char *path, struct kernel_stat *result, long flags) {
  struct place place;
  long error = hk_walk(directory, path, walk_flags(flags), &place);
  return error < 0 ? error : copy_stat(place.inode, result, !(flags & AT_SYMLINK_NOFOLLOW));
}

long hk_fstat(long descriptor, struct kernel_stat *result) {
  struct open_file *file = hk_file(descriptor);
  return file ? copy_stat(file->inode, result, !(file->flags & O_PATH)) : -EBADF;
}

static void put(unsigned char *to, const void *from, unsigned long n) { memcpy(to, from, n); }

static void put_time(unsigned char *to, const struct kernel_time *time) {
  put(to, &time->seconds, 8);
  put(to + 8, &time->nanoseconds, 4);
}

static void put_device(unsigned char *to, uint64_t device) {
  uint32_t major = (uint32_t)((device >> 8 & 0xfff) | (device >> 32 & ~(uint64_t)0xfff));
  uint32_t minor = (uint32_t)((device & 0xff) | (device >> 12 & ~(uint64_t)0xff));
  put(to, &major, 4);
  put(to + 4, &minor, 4);
}

/* Fills the basic statistics and a birth time that equals the change time when the program made the file. */
long hk_statx(long directory, const char *path, long flags, long mask, unsigned char *result) {
  struct place place;
  const uint32_t basic = 0x7ff;
  long error;
  (void)mask;
  error = hk_walk(directory, path, walk_flags(flags), &place);
  if (error < 0) return error;
  if (hk_bad(result)) return -EFAULT;
  struct kernel_stat copy, *stat = &copy;
  memcpy(stat, hk_stat_of(place.inode), sizeof *stat);
  if (!(flags & AT_SYMLINK_NOFOLLOW)) hk_follow(place.inode, stat);
  uint32_t links = (uint32_t)stat->st_nlink, block = (uint32_t)stat->st_blksize;
  uint16_t mode = (uint16_t)stat->st_mode;
  memset(result, 0, 256);
  put(result, &basic, 4);
  put(result + 4, &block, 4);
  put(result + 16, &links, 4);
  put(result + 20, &stat->st_uid, 4);
  put(result + 24, &stat->st_gid, 4);
  put(result + 28, &mode, 2);
  put(result + 32, &stat->st_ino, 8);
  put(result + 40, &stat->st_size, 8);
  put(result + 48, &stat->st_blocks, 8);
  put_time(result + 64, &stat->st_atim);
  put_time(result + 96, &stat->st_ctim);
  put_time(result + 112, &stat->st_mtim);
  put_device(result + 128, stat->st_rdev);
  put_device(result + 136, stat->st_dev);
  return 0;
}

long hk_access(long directory, const char *path, long mode, long flags) {
  struct place place;
  long error;
  mode = hk_flags(mode, 7);
  if (mode < 0) return -EINVAL;
  error = hk_walk(directory, path, walk_flags(flags), &place);
  if (error < 0) return error;
  return hk_allowed(place.inode, (int)mode) ? 0 : -EACCES;
}

/* One modeled file system, whatever the host's is: half of its million blocks are free. */
static long fill_statfs(uint64_t *result) {
  if (hk_bad(result)) return -EFAULT;
  memset(result, 0, 120);
  result[0] = 0xef53; /* ext2's magic */
  result[1] = 4096;
  result[2] = 1 << 20;
  result[3] = result[4] = 1 << 19;
  result[5] = 1 << 18;
  result[6] = 1 << 17;
  result[8] = NAME_LIMIT;
  result[9] = 4096;
  return 0;
}

long hk_statfs(const char *path, void *result) {
  struct place place;
  long error = hk_walk(AT_FDCWD, path, WALK_FOLLOW, &place);
  if (error < 0) return error;
  return fill_statfs(result);
}

long hk_fstatfs(long descriptor, void *result) {
  struct open_file *file = hk_file(descriptor);
  if (!file) return -EBADF;
  return fill_statfs(result);
}
