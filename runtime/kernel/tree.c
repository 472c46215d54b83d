/* The tree of names: entries known so far, and the host's behind them.
 *
 * A directory's entries hold what the program changed and what was looked up before; a name without an
 * entry is asked from the host (if the directory is one of the host's) and remembered. */
#include "internal.h"

struct entry *hk_known_entry(struct inode *directory, const char *name, unsigned length) {
  struct entry *entry;
  for (entry = directory->entries; entry; entry = entry->next)
    if (entry->length == length && memcmp(entry->name, name, length) == 0) return entry;
  return 0;
}

/* Gives an inode a name; a name deleted before is used again. */
struct entry *hk_add_entry(struct inode *directory, const char *name, unsigned length, struct inode *inode) {
  struct entry *entry = hk_known_entry(directory, name, length);
  if (!entry) {
    entry = calloc(1, sizeof *entry + length + 1);
    memcpy(entry->name, name, length);
    entry->length = length;
    entry->parent = directory;
    if (directory->last_entry)
      directory->last_entry->next = entry;
    else
      directory->entries = entry;
    directory->last_entry = entry;
  }
  entry->inode = inode;
  if (inode && (inode->kind == INODE_DIRECTORY || inode->kind == INODE_SYMBOLIC)) inode->place = entry;
  return entry;
}

void hk_remove_entry(struct entry *entry) {
  if (entry->inode->kind == INODE_DIRECTORY) entry->inode->place = 0;
  entry->inode = 0;
}

static int is_name(const char *name, unsigned length, const char *expected) {
  return strlen(expected) == length && memcmp(name, expected, length) == 0;
}

static struct inode *new_device(const struct file_operations *operations, unsigned major, unsigned minor) {
  struct inode *inode = hk_of_root(hk_new_inode(operations, S_IFCHR | 0666));
  inode->stat->st_rdev = (uint64_t)major << 8 | minor;
  return inode;
}

/* The devices that every process expects, whether or not the host view shows them. */
static struct inode *device(const char *name, unsigned length) {
  if (is_name(name, length, "null")) return new_device(&hk_null_device, 1, 3);
  if (is_name(name, length, "zero")) return new_device(&hk_zero_device, 1, 5);
  if (is_name(name, length, "full")) return new_device(&hk_full_device, 1, 7);
  if (is_name(name, length, "random")) return new_device(&hk_random_device, 1, 8);
  if (is_name(name, length, "urandom")) return new_device(&hk_random_device, 1, 9);
  if (is_name(name, length, "tty")) return new_device(&hk_no_terminal, 5, 0);
  return 0;
}

/* `directory`'s host path with a name after it, in a new string. */
static char *host_path_of(const struct inode *directory, const char *name, unsigned length) {
  unsigned long base = strlen(directory->host_path);
  char *path = malloc(base + length + 2);
  memcpy(path, directory->host_path, base);
  if (base > 0 && path[base - 1] != '/') path[base++] = '/';
  memcpy(path + base, name, length);
  path[base + length] = 0;
  return path;
}

#ifdef __clang__
#define CALLED __attribute__((noinline, optnone))
#else
#define CALLED __attribute__((noinline))
#endif

/* Result of a name of the host that homi does not show: a model limitation, which a run reports because of this call. */
static CALLED struct inode *hk_file_not_shown(void) { return 0; }

/* The host has the name that it was asked for last, and homi does not show it. */
static int is_hidden;

/* Null, for a name without an inode; it may be hidden. */
static struct inode *nothing(void) {
  if (!is_hidden) return 0;
  is_hidden = 0;
  return hk_file_not_shown();
}

/* Files of the first directory belong to the program's user, independent of their owner on the host and of homi's user. */
static struct inode *ask_host(const struct inode *directory, const char *name, unsigned length) {
  enum { NOT_SHOWN = -66 };
  struct kernel_stat stat;
  struct inode *inode = 0;
  char *path = host_path_of(directory, name, length);
  long found = homi_host_stat(path, &stat, 0);
  if (found >= 0) {
    if (stat.st_dev == hk.host_device) stat.st_dev = hk.device;
    stat.st_uid = (uint32_t)homi_host_id(1);
    stat.st_gid = (uint32_t)homi_host_id(3);
    inode = hk_host_inode(path, &stat);
  } else if (found == NOT_SHOWN) {
    is_hidden = 1;
  }
  free(path);
  return inode;
}

/* Of a name that the model's directory of accounts lacks. */
static struct inode *lookup_account(const struct inode *directory, const char *name, unsigned length) {
  const struct inode host = {.host_path = "/etc"};
  struct entry *accounts = hk_known_entry(hk.root, "etc", 3);
  if (accounts && accounts->inode == directory) ask_host(&host, name, length);
  return nothing();
}

/* The inode of a name in a directory, or null. The name is concrete, and neither "." nor "..". */
struct inode *hk_lookup(struct inode *directory, const char *name, unsigned length) {
  struct entry *entry = hk_known_entry(directory, name, length);
  struct inode *inode = 0;
  int from_host = 1;
  if (entry) return entry->inode;
  if (!directory->host_path) return lookup_account(directory, name, length);
  if (strcmp(directory->host_path, "/dev") == 0) inode = device(name, length);
  if (!inode && strcmp(directory->host_path, "/dev") == 0 && is_name(name, length, "shm")) {
    inode = hk_of_root(hk_new_inode(&hk_directory, S_IFDIR | S_ISVTX | 0777)); /* shm_open's: never the host's */
    from_host = 0;
  }
  if (!inode) inode = ask_host(directory, name, length);
  if (!inode && directory == hk.root && is_name(name, length, "tmp")) {
    inode = hk_of_root(hk_new_inode(&hk_directory, S_IFDIR | S_ISVTX | 0777));
    from_host = 0;
  }
  if (!inode && directory == hk.root && is_name(name, length, "etc")) {
    inode = hk_accounts();
    from_host = 0;
  }
  if (!inode && directory == hk.root && is_name(name, length, "dev")) {
    inode = hk_host_inode("/dev", 0);
    is_hidden = 0;
  }
  if (!inode) return nothing();
  if (!from_host) is_hidden = 0;
  hk_add_entry(directory, name, length, inode)->from_host = from_host;
  return inode;
}

/* Builds the chain of directories from the root to the one in which the program starts. */
void hk_initialise_tree(void) {
  char path[PATH_LIMIT];
  unsigned start = 1, end;
  uint64_t number = FIRST_NUMBERS;
  struct inode *directory = hk_host_inode("/", 0);
  directory->stat->st_ino = ROOT_NUMBER;
  hk.root = directory;
  long length = homi_host_getcwd(path, sizeof path - 1);
  if (length > 0) path[length] = 0; /* the answer need not have a NUL */
  if (length <= 0 || path[0] != '/') {
    path[0] = '/';
    path[1] = 0;
  }
  while (path[start]) {
    char saved;
    for (end = start; path[end] && path[end] != '/'; end++) {}
    saved = path[end];
    path[end] = 0;
    struct inode *next = hk_host_inode(path, 0);
    next->stat->st_ino = ++number;
    hk_add_entry(directory, path + start, end - start, next)->from_host = 1;
    directory = next;
    path[end] = saved;
    start = saved ? end + 1 : end;
  }
  hk.cwd = directory;
}

/* The absolute path of a directory with its NUL: its length, or 0 when it was removed or n is too small. */
int hk_path_of(struct inode *directory, char *buffer, unsigned long n) {
  unsigned long length = 1, position;
  const struct inode *inode;
  for (inode = directory; inode != hk.root; inode = inode->place->parent) {
    if (!inode->place) return 0;
    length += inode->place->length + 1;
  }
  if (length == 1) length = 2;
  if (length > n) return 0;
  position = length - 1;
  buffer[position] = 0;
  buffer[0] = '/';
  for (inode = directory; inode != hk.root; inode = inode->place->parent) {
    position -= inode->place->length;
    memcpy(buffer + position, inode->place->name, inode->place->length);
    buffer[--position] = '/';
  }
  return (int)length;
}

/* The first name of a file below a directory; null: it has none. */
static const struct entry *name_of(const struct inode *directory, const struct inode *inode) {
  const struct entry *entry;
  for (entry = directory->entries; entry; entry = entry->next) {
    const struct entry *below = entry->inode == inode ? entry : 0;
    if (!below && entry->inode && entry->inode->kind == INODE_DIRECTORY) below = name_of(entry->inode, inode);
    if (below) return below;
  }
  return 0;
}

/* Writes the path of any file, one of its names, as hk_path_of does for directories. */
int hk_path_of_file(struct inode *inode, char *buffer, unsigned long n) {
  const struct entry *entry;
  int length;
  if (inode->kind == INODE_DIRECTORY) return hk_path_of(inode, buffer, n);
  entry = name_of(hk.root, inode);
  length = entry ? hk_path_of(entry->parent, buffer, n) : 0;
  if (length == 2) length = 1; /* "/" */
  if (!length || (unsigned long)length + entry->length + 1 > n) return 0;
  buffer[length - 1] = '/';
  memcpy(buffer + length, entry->name, entry->length);
  buffer[length + (int)entry->length] = 0;
  return length + (int)entry->length + 1;
}
