/* Inodes: what a file is, apart from its names.
 *
 * An inode made from the host keeps `host_path` until a call changes its contents; only then are they
 * copied into `data`. Metadata are asked for once and belong to the kernel from then on. */
#include "internal.h"

struct kernel_time hk_now(void) {
  uint64_t now = hk_clock();
  struct kernel_time time = {(int64_t)(now / 1000000000u), (int64_t)(now % 1000000000u)};
  return time;
}

/* The contents changed now. */
void hk_touch(struct inode *inode) {
  struct kernel_stat *stat = hk_stat_of(inode);
  stat->st_mtim = hk_now();
  stat->st_ctim = stat->st_mtim;
}

/* Devices lie in a file system of their own and have the same number however often and in whatever order they are
 * met: a symbolic stream may have been made equal to one, and a replay sees another disk and other files first. */
static void identify(struct kernel_stat *stat, enum inode_kind kind) {
  int is_device = kind >= INODE_NULL && kind <= INODE_RANDOM;
  stat->st_dev = is_device ? DEVICE_FILES : hk.device;
  stat->st_ino = is_device ? 5 + (uint64_t)(kind - INODE_NULL) : hk.next_inode++;
}

/* A file that the program makes. */
struct inode *hk_new_inode(const struct file_operations *operations, uint32_t mode) {
  const enum inode_kind kind = operations->kind;
  struct inode *inode = calloc(1, sizeof *inode);
  struct kernel_stat *stat = calloc(1, sizeof *stat);
  inode->kind = kind;
  inode->operations = operations;
  inode->stat = stat;
  inode->stat_known = 1;
  identify(stat, kind);
  stat->st_nlink = kind == INODE_DIRECTORY ? 2 : 1;
  stat->st_mode = mode;
  stat->st_uid = (uint32_t)homi_host_id(1);
  stat->st_gid = (uint32_t)homi_host_id(3);
  stat->st_blksize = 4096;
  stat->st_size = kind == INODE_DIRECTORY ? 4096 : 0;
  stat->st_blocks = kind == INODE_DIRECTORY ? 8 : 0;
  stat->st_atim = stat->st_mtim = stat->st_ctim = hk_now();
  return inode;
}

/* Makes root the owner of a file. */
struct inode *hk_of_root(struct inode *inode) {
  inode->stat->st_uid = inode->stat->st_gid = 0;
  return inode;
}

static const struct file_operations *operations_of(const struct kernel_stat *stat) {
  switch (stat->st_mode & S_IFMT) {
  case S_IFREG: return &hk_regular_file;
  case S_IFDIR: return &hk_directory;
  case S_IFLNK: return &hk_link_file;
  default: return &hk_other_file;
  }
}

/* A file of the host. `known` null: a directory above the first one, whose metadata are asked for at
 * their first use (the view need not show it). */
struct inode *hk_host_inode(const char *host_path, const struct kernel_stat *known) {
  struct inode *inode = calloc(1, sizeof *inode);
  unsigned long length = strlen(host_path) + 1;
  inode->host_path = malloc(length);
  memcpy(inode->host_path, host_path, length);
  inode->stat = calloc(1, sizeof *inode->stat);
  inode->operations = &hk_directory;
  if (known) {
    memcpy(inode->stat, known, sizeof *known);
    inode->stat_known = 1;
    inode->operations = operations_of(known);
  }
  inode->kind = inode->operations->kind;
  return inode;
}

/* The directories from the root to the first one: what changes from run to run, from machine to machine and with who runs
 * homi (their place on the disk, their times and owners) is the model's own, so that a replay and a second run meet the
 * same. The first one belongs to the program's user, those above it to root and can be passed. */
static void fill_first_directory(struct inode *inode) {
  struct kernel_stat *stat = inode->stat;
  uint64_t number = stat->st_ino;
  if (homi_host_stat(inode->host_path, stat, 0) >= 0) {
    if (inode == hk.cwd) hk.host_device = stat->st_dev;
  } else {
    memset(stat, 0, sizeof *stat);
    stat->st_nlink = 2;
    stat->st_mode = S_IFDIR | 0755;
  }
  if (inode != hk.cwd) stat->st_mode |= 0555;
  stat->st_uid = inode == hk.cwd ? (uint32_t)homi_host_id(1) : 0;
  stat->st_gid = inode == hk.cwd ? (uint32_t)homi_host_id(3) : 0;
  stat->st_dev = hk.device;
  stat->st_ino = number ? number : hk.next_inode++;
  stat->st_size = stat->st_blksize = 4096;
  stat->st_blocks = 8;
  stat->st_atim = stat->st_mtim = stat->st_ctim = hk_now();
}

struct kernel_stat *hk_stat_of(struct inode *inode) {
  if (!inode->stat_known) {
    inode->stat_known = 1;
    fill_first_directory(inode);
  }
  return inode->stat;
}

/* True if the process may use the file so. Whose class the process is in is not asked for a symbolic
 * file (its owner is symbolic too): any class with the permission will do, as in KLEE. */
int hk_allowed(struct inode *inode, int mask) {
  const struct kernel_stat *stat = hk_stat_of(inode);
  uint32_t mode = stat->st_mode;
  long user = homi_host_id(1);
  uint32_t bits;
  if (mask == 0) return 1;
  if (user == 0) return !(mask & MAY_EXECUTE) || hk_is_directory(inode) || hk_decide((mode & 0111) != 0);
  if (inode->kind == INODE_SYMBOLIC)
    bits = mode | mode >> 3 | mode >> 6;
  else if (hk_decide(stat->st_uid == (uint32_t)user))
    bits = mode >> 6;
  else if (hk_decide(stat->st_gid == (uint32_t)homi_host_id(3)))
    bits = mode >> 3;
  else
    bits = mode;
  return hk_decide((bits & (uint32_t)mask) == (uint32_t)mask);
}

/* Forks once for a symbolic file, whose type is part of its symbolic stat. */
int hk_is_directory(struct inode *inode) {
  if (inode->kind == INODE_SYMBOLIC) return hk_decide((inode->stat->st_mode & S_IFMT) == S_IFDIR);
  return inode->kind == INODE_DIRECTORY;
}

/* True if a symbolic file is a link. Natively it then leads to a regular file of the same contents. */
int hk_is_symbolic_link(struct inode *inode) {
  return inode->kind == INODE_SYMBOLIC && hk_decide((inode->stat->st_mode & S_IFMT) == S_IFLNK);
}

/* Changes a symbolic file's stat as if its links were followed: a link becomes a regular file. Only
 * the byte with the type changes, and nothing forks. */
void hk_follow(const struct inode *inode, struct kernel_stat *stat) {
  unsigned char *high = (unsigned char *)&stat->st_mode + 1;
  if (inode->kind != INODE_SYMBOLIC) return;
  *high ^= (unsigned char)(((*high & S_IFMT >> 8) == S_IFLNK >> 8) * ((S_IFLNK ^ S_IFREG) >> 8));
}

/* True for a regular file, or a symbolic link to one: the caller has followed it. Forks once. */
int hk_is_regular(struct inode *inode) {
  if (inode->kind == INODE_SYMBOLIC) {
    uint32_t type = inode->stat->st_mode & S_IFMT;
    return hk_decide((type == S_IFREG) | (type == S_IFLNK));
  }
  return inode->kind == INODE_REGULAR;
}

static void set_size(struct inode *inode, uint64_t size) {
  struct kernel_stat *stat = hk_stat_of(inode);
  inode->size = size;
  stat->st_size = (int64_t)size;
  stat->st_blocks = (int64_t)((size + 4095) / 4096 * 8);
}

/* Copies a host file's contents into the kernel before the first change. 0 or -errno. */
long hk_own_contents(struct inode *inode) {
  const char *path = inode->host_path;
  uint64_t size, done = 0;
  if (!path || inode->kind != INODE_REGULAR) return 0;
  size = (uint64_t)hk_stat_of(inode)->st_size;
  inode->data = malloc(size + 1);
  inode->capacity = size + 1;
  while (done < size) {
    long count = homi_host_read(path, inode->data + done, size - done, done);
    if (count < 0) return count;
    if (count == 0) break;
    done += (uint64_t)count;
  }
  inode->host_path = 0;
  set_size(inode, done);
  return 0;
}

/* Makes the file so long; new bytes are zero. 0 or -errno. */
long hk_resize(struct inode *inode, uint64_t size) {
  if (size == 0) {
    inode->host_path = 0;
  } else {
    long error = hk_own_contents(inode);
    if (error < 0) return error;
  }
  if (size > (uint64_t)1 << 32) {
    homi_note_concretized("a file of more than 4 GiB does not fit");
    return -EFBIG;
  }
  if (size > inode->capacity) {
    uint64_t capacity = size < 64 ? 64 : size + size / 2;
    unsigned char *data = realloc(inode->data, capacity);
    if (!data) return -ENOSPC;
    inode->data = data;
    inode->capacity = capacity;
  }
  if (size < inode->size) hk_show_write(inode, 0, inode->size - size, size);
  if (size > inode->size) memset(inode->data + inode->size, 0, size - inode->size);
  else if (hk_is_shown(inode) && inode->data) memset(inode->data + size, 0, inode->capacity - size);
  set_size(inode, size);
  hk_show_again(inode);
  return 0;
}

/* Nobody can reach the file any more: its contents go. */
void hk_release(struct inode *inode) {
  if (inode->opens > 0 || inode->kind == INODE_SYMBOLIC || inode->kind == INODE_DIRECTORY) return;
  if (hk_stat_of(inode)->st_nlink > 0) return;
  hk_tell_end(inode);
  hk_forget_attributes(inode);
  free(inode->data);
  inode->data = 0;
  inode->size = inode->capacity = 0;
}

void hk_drop_link(struct inode *inode) {
  struct kernel_stat *stat = hk_stat_of(inode);
  if (inode->kind == INODE_SYMBOLIC) return;
  if (inode->kind == INODE_DIRECTORY) {
    stat->st_nlink = 0;
    hk_tell_end(inode);
  } else if (stat->st_nlink > 0) {
    stat->st_nlink--;
  }
  stat->st_ctim = hk_now();
  hk_release(inode);
}
