/* Files in memory (memfd_create) and their seals. */
#include "internal.h"

enum { CLOSE_ON_EXEC = 1, ALLOW_SEALING = 2, IS_DATA = 8, IS_PROGRAM = 16, KNOWN = 31, LONGEST_NAME = 249 };
enum { ALL_SEALS = SEAL_SEAL | SEAL_SHRINK | SEAL_GROW | SEAL_WRITE | SEAL_FUTURE_WRITE | SEAL_EXECUTE };

long hk_memfd(const char *name, long flags) {
  static const char prefix[] = "/memfd:", mark[] = " (deleted)";
  struct inode *inode;
  unsigned long length = 0;
  flags = hk_flags(flags, KNOWN);
  if (flags < 0 || (flags & IS_DATA && flags & IS_PROGRAM)) return -EINVAL;
  if (hk_bad(name)) return -EFAULT;
  while (length <= LONGEST_NAME && hk_decide(name[length] != 0)) length++;
  if (length > LONGEST_NAME) return -EINVAL;
  inode = hk_new_inode(&hk_regular_file, S_IFREG | (flags & IS_DATA ? 0666 : 0777));
  inode->stat->st_nlink = 0;
  inode->stat->st_dev = FILES_IN_MEMORY;
  inode->seals = SEALABLE | (flags & IS_DATA ? SEAL_EXECUTE : flags & ALLOW_SEALING ? 0 : SEAL_SEAL);
  inode->target = malloc(length + sizeof prefix + sizeof mark);
  memcpy(inode->target, prefix, sizeof prefix - 1);
  memcpy(inode->target + sizeof prefix - 1, name, length);
  memcpy(inode->target + sizeof prefix - 1 + length, mark, sizeof mark);
  return hk_install(hk_new_file(inode, O_RDWR), 0, (int)(flags & CLOSE_ON_EXEC));
}

long hk_get_seals(const struct open_file *file) {
  return file->inode->seals ? (long)(file->inode->seals & ALL_SEALS) : -EINVAL;
}

long hk_add_seals(const struct open_file *file, long seals) {
  struct inode *inode = file->inode;
  if ((file->flags & O_ACCMODE) == O_RDONLY) return -EPERM;
  seals = hk_flags(seals, ALL_SEALS);
  if (seals < 0 || !inode->seals) return -EINVAL;
  if (inode->seals & SEAL_SEAL) return -EPERM;
  if ((seals & SEAL_EXECUTE) && (inode->stat->st_mode & 0111)) seals |= SEAL_SHRINK | SEAL_GROW | SEAL_WRITE | SEAL_FUTURE_WRITE;
  if ((seals & SEAL_WRITE) && !(inode->seals & SEAL_WRITE) && hk_may_be_written_by_mapping(inode)) return -EBUSY;
  inode->seals |= (unsigned)seals;
  return 0;
}

/* Checks if bytes may be written, of which those may be fewer that do not make the file larger: 0 or -errno. */
long hk_check_seals(const struct inode *inode, uint64_t offset, uint64_t *n) {
  const uint64_t whole = inode->size & ~(uint64_t)(PAGE - 1);
  if (inode->seals & (SEAL_WRITE | SEAL_FUTURE_WRITE)) return hk_decide(*n != 0) ? -EPERM : 0;
  if (!(inode->seals & SEAL_GROW) || !hk_decide(offset + *n > inode->size)) return 0;
  if (!hk_decide(offset < whole)) return -EPERM;
  *n = whole - offset;
  return 0;
}

int hk_is_sealed_against_size(const struct inode *inode, uint64_t size) {
  return (inode->seals & SEAL_SHRINK && hk_decide(size < inode->size)) || (inode->seals & SEAL_GROW && hk_decide(size > inode->size));
}
