/* Listing directories and moving between them.
 *
 * A listing is the host's entries in the host view's order, without the deleted and with the replaced
 * ones, then the names that only the kernel knows. The position counts host entries up to OWN, and own
 * entries from there on; entries are never removed, so positions stay valid while a program deletes
 * what it lists. */
#include "internal.h"

enum { RECORD_HEAD = 19, OWN = 1 << 30 };

static unsigned char type_of(const struct inode *inode) {
  return (unsigned char)((hk_stat_of((struct inode *)inode)->st_mode & S_IFMT) >> 12);
}

/* One linux_dirent64 record: its length, or 0 when it does not fit. */
static uint64_t put_record(unsigned char *to, uint64_t room, const char *name, unsigned length, uint64_t number,
                           unsigned char type, int64_t next) {
  uint16_t size = (uint16_t)((RECORD_HEAD + length + 1 + 7) & ~7u);
  if (size > room) return 0;
  memset(to, 0, size);
  memcpy(to, &number, 8);
  memcpy(to + 8, &next, 8);
  memcpy(to + 16, &size, 2);
  to[18] = type;
  memcpy(to + RECORD_HEAD, name, length);
  return size;
}

/* The index-th host entry, or a negative error; 0 at the end; 1 and a length of 0 when it is hidden. */
static long host_record(struct inode *directory, int64_t index, unsigned char *to, uint64_t room, uint64_t *size) {
  unsigned char record[RECORD_HEAD + NAME_LIMIT + 9];
  const char *name = (const char *)record + RECORD_HEAD;
  uint64_t number;
  unsigned length;
  struct entry *entry;
  unsigned char type;
  long result = homi_host_readdir(directory->host_path, (unsigned long)index, record, sizeof record);
  *size = 0;
  if (result <= 0) return result;
  length = (unsigned)strlen(name);
  memcpy(&number, record, 8);
  type = record[18];
  entry = hk_known_entry(directory, name, length);
  if (entry) {
    if (!entry->inode || !entry->from_host) return 1;
    number = hk_stat_of(entry->inode)->st_ino;
    type = type_of(entry->inode);
  }
  *size = put_record(to, room, name, length, number, type, index + 1);
  return *size ? 1 : -EINVAL;
}

static struct entry *own_entry(struct inode *directory, int64_t index) {
  struct entry *entry = directory->entries;
  while (entry && index-- > 0) entry = entry->next;
  return entry;
}

static uint64_t dot_record(struct inode *directory, int64_t index, unsigned char *to, uint64_t room) {
  const struct inode *shown = directory;
  if (index == 1 && directory->place) shown = directory->place->parent;
  return put_record(to, room, "..", index == 0 ? 1 : 2, hk_stat_of((struct inode *)shown)->st_ino, 4, index + 1);
}

/* A symbolic file that is a directory is an empty one to begin with. */
long hk_getdents64(long descriptor, unsigned char *buffer, uint64_t n) {
  struct open_file *file = hk_used_file(descriptor);
  struct inode *directory;
  uint64_t done = 0, size;
  if (!file) return -EBADF;
  directory = file->inode;
  if (!hk_is_directory(directory)) return -ENOTDIR;
  if (hk_bad(buffer)) return -EFAULT;
  homi_require_room(buffer, n, 1);
  n = homi_concretize(n);
  hk_tell_file(directory, NOTE_ACCESS);
  while (file->offset < OWN) {
    if (directory->host_path) {
      long result = host_record(directory, file->offset, buffer + done, n - done, &size);
      if (result < 0 && result != -EINVAL && file->offset == 0) return result;
      if (result == -EINVAL && size == 0) return done ? (long)done : -EINVAL;
      if (result <= 0) {
        file->offset = OWN;
        break;
      }
    } else {
      if (file->offset > 1) {
        file->offset = OWN;
        break;
      }
      size = dot_record(directory, file->offset, buffer + done, n - done);
      if (!size) return done ? (long)done : -EINVAL;
    }
    file->offset++;
    done += size;
  }
  struct entry *entry = own_entry(directory, file->offset - OWN);
  for (; entry; entry = entry->next, file->offset++) {
    if (!entry->inode || entry->from_host) continue;
    size = put_record(buffer + done, n - done, entry->name, entry->length, hk_stat_of(entry->inode)->st_ino,
                      type_of(entry->inode), file->offset + 1);
    if (!size) return done ? (long)done : -EINVAL;
    done += size;
  }
  return (long)done;
}

/* The length of the path with its NUL, as the system call returns it. */
long hk_getcwd(char *buffer, uint64_t n) {
  int call = hk_count_call(FAIL_GETCWD);
  char path[PATH_LIMIT];
  int length;
  if (hk_fails(FAIL_GETCWD, call)) return -ERANGE;
  length = hk_path_of(hk.cwd, path, sizeof path);
  if (length == 0) return -ENOENT;
  if (hk_decide((uint64_t)length > n)) return -ERANGE;
  if (hk_bad(buffer)) return -EFAULT;
  memcpy(buffer, path, (unsigned long)length);
  return length;
}

static long enter(struct inode *inode) {
  if (!hk_is_directory(inode)) return -ENOTDIR;
  if (!hk_allowed(inode, MAY_EXECUTE)) return -EACCES;
  hk.cwd = inode;
  return 0;
}

long hk_chdir(const char *path) {
  struct place place;
  long error = hk_walk(AT_FDCWD, path, WALK_FOLLOW, &place);
  return error < 0 ? error : enter(place.inode);
}

long hk_fchdir(long descriptor) {
  struct open_file *file = hk_file(descriptor);
  return file ? enter(file->inode) : -EBADF;
}

long hk_chroot(const char *path) {
  struct place place;
  long error = hk_walk(AT_FDCWD, path, WALK_FOLLOW, &place);
  if (error < 0) return error;
  if (place.inode->kind != INODE_DIRECTORY) return -ENOTDIR;
  return place.inode == hk.root && homi_host_id(1) == 0 ? 0 : -EPERM;
}
