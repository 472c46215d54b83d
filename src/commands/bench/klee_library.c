/* Functions that GNU coreutils 9.1 calls and KLEE's C library lacks. Without them KLEE calls the host's functions, and
 * drops the paths on which their arguments or results are symbolic. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

void *reallocarray(void *block, size_t count, size_t size) {
  size_t bytes;
  if (__builtin_mul_overflow(count, size, &bytes)) {
    errno = ENOMEM;
    return 0;
  }
  return realloc(block, bytes);
}

void explicit_bzero(void *block, size_t size) { memset(block, 0, size); }

int posix_fadvise(int descriptor, off_t offset, off_t length, int advice) { return 0; }

static struct statx_timestamp when(struct timespec time) {
  struct statx_timestamp result = {.tv_sec = time.tv_sec, .tv_nsec = time.tv_nsec};
  return result;
}

int statx(int directory, const char *path, int flags, unsigned mask, struct statx *result) {
  struct stat found;
  int failed = (flags & AT_EMPTY_PATH) && !*path ? fstat(directory, &found)
                                                 : fstatat(directory, path, &found, flags & AT_SYMLINK_NOFOLLOW);
  if (failed) return -1;
  memset(result, 0, sizeof *result);
  result->stx_mask = STATX_BASIC_STATS;
  result->stx_blksize = found.st_blksize;
  result->stx_nlink = found.st_nlink;
  result->stx_uid = found.st_uid;
  result->stx_gid = found.st_gid;
  result->stx_mode = found.st_mode;
  result->stx_ino = found.st_ino;
  result->stx_size = found.st_size;
  result->stx_blocks = found.st_blocks;
  result->stx_atime = when(found.st_atim);
  result->stx_ctime = when(found.st_ctim);
  result->stx_mtime = when(found.st_mtim);
  /* Splits the device's number into the two parts that glibc's makedev combines. */
  result->stx_dev_major = (found.st_dev >> 8) & 0xfff;
  result->stx_dev_minor = (found.st_dev & 0xff) | ((found.st_dev >> 12) & 0xfff00);
  result->stx_rdev_major = (found.st_rdev >> 8) & 0xfff;
  result->stx_rdev_minor = (found.st_rdev & 0xff) | ((found.st_rdev >> 12) & 0xfff00);
  return 0;
}
