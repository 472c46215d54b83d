/* Adding, moving and removing names. */
#include "internal.h"

enum { RENAME_NOREPLACE = 1, RENAME_EXCHANGE = 2 };

/* Checks if names may be added to or taken from the directory: 0 or -errno. */
static long may_change(struct inode *directory) {
  if (!directory->place && directory != hk.root) return -ENOENT;
  return hk_allowed(directory, MAY_WRITE | MAY_EXECUTE) ? 0 : -EACCES;
}

/* In a sticky directory only the file's or the directory's owner removes a name. */
static long may_remove(struct inode *directory, struct inode *inode) {
  long error = may_change(directory), user = homi_host_id(1);
  if (error < 0 || user == 0) return error;
  if ((hk_stat_of(directory)->st_mode & S_ISVTX) && hk_stat_of(directory)->st_uid != (uint32_t)user &&
      hk_decide(hk_stat_of(inode)->st_uid != (uint32_t)user))
    return -EPERM;
  return 0;
}

/* Finds a free name for a new file: 0 or -errno. */
static long find_free(long directory, const char *path, struct place *place, int is_directory) {
  long error = hk_walk(directory, path, WALK_CREATE | WALK_LAST, place);
  if (error < 0) return error;
  if (place->inode) return -EEXIST;
  if (place->trailing_slash && !is_directory) return -ENOENT;
  return may_change(place->directory);
}

static void add_parent_link(struct inode *directory, int change) {
  hk_stat_of(directory)->st_nlink += (uint64_t)(int64_t)change;
}

long hk_mkdir(long directory, const char *path, long mode) {
  struct place place;
  struct inode *inode;
  long error = find_free(directory, path, &place, 1);
  if (error < 0) return error;
  inode = hk_new_inode(&hk_directory, S_IFDIR | ((uint32_t)mode & 01777 & ~hk.umask));
  hk_add_entry(place.directory, place.name, place.length, inode);
  add_parent_link(place.directory, 1);
  hk_touch(place.directory);
  hk_tell_name(place.directory, place.name, place.length, inode, NOTE_CREATE);
  return 0;
}

/* True if a directory has no names; the host's are looked at too. */
static int is_empty(struct inode *directory) {
  unsigned char record[300];
  const char *name = (const char *)record + 19;
  struct entry *entry;
  unsigned long index;
  for (entry = directory->entries; entry; entry = entry->next)
    if (entry->inode) return 0;
  if (!directory->host_path) return 1;
  for (index = 0; homi_host_readdir(directory->host_path, index, record, sizeof record) > 0; index++)
    if (strcmp(name, ".") && strcmp(name, "..") && !hk_known_entry(directory, name, (unsigned)strlen(name))) return 0;
  return 1;
}

static void remember_name(struct inode *inode) {
  static const char mark[] = " (deleted)";
  char path[PATH_LIMIT];
  int length;
  if (inode->kind != INODE_REGULAR || hk_stat_of(inode)->st_nlink != 1) return;
  length = hk_path_of_file(inode, path, sizeof path - sizeof mark);
  if (!length) return;
  memcpy(path + length - 1, mark, sizeof mark);
  free(inode->target);
  inode->target = malloc((unsigned long)length + sizeof mark);
  memcpy(inode->target, path, (unsigned long)length + sizeof mark - 1);
}

/* `tells`: notifies watchers; if another file takes over the name, that call notifies them. */
static void remove_name(struct inode *directory, const char *name, unsigned length, int tells) {
  struct entry *entry = hk_known_entry(directory, name, length);
  struct inode *inode = entry->inode;
  if (inode->opens) remember_name(inode);
  if (inode->kind == INODE_DIRECTORY) add_parent_link(directory, -1);
  hk_remove_entry(entry);
  if (tells) {
    hk_tell_fewer_links(inode);
    hk_tell_name(directory, name, length, inode, NOTE_DELETE);
  }
  hk_drop_link(inode);
  hk_touch(directory);
}

/* unlink, and with AT_REMOVEDIR rmdir. */
long hk_unlink(long directory, const char *path, long flags) {
  struct place place;
  int removes_directory;
  long error;
  flags = hk_flags(flags, AT_REMOVEDIR);
  if (flags < 0) return -EINVAL;
  removes_directory = flags != 0;
  error = hk_walk(directory, path, WALK_LAST, &place);
  if (error < 0) return error;
  if (place.alias >= 0) return -EPERM;
  if (place.dots) {
    if (!removes_directory) return -EISDIR;
    return place.dots == 1 ? -EINVAL : -ENOTEMPTY;
  }
  if (!place.directory) return removes_directory ? -EBUSY : -EISDIR;
  if (place.trailing_slash && !removes_directory) return hk_is_directory(place.inode) ? -EISDIR : -ENOTDIR;
  error = may_remove(place.directory, place.inode);
  if (error < 0) return error;
  if (removes_directory) {
    if (!hk_is_directory(place.inode)) return -ENOTDIR;
    if (!is_empty(place.inode)) return -ENOTEMPTY;
  } else if (hk_is_directory(place.inode)) {
    return -EISDIR;
  }
  remove_name(place.directory, place.name, place.length, 1);
  return 0;
}

static int is_inside(const struct inode *inode, const struct inode *directory) {
  for (;; inode = inode->place->parent) {
    if (inode == directory) return 1;
    if (!inode->place) return 0;
  }
}

/* Checks if `old` may take the place of `new`: 0 or -errno. */
static long may_replace(struct inode *old, struct inode *new) {
  if (hk_is_directory(new)) {
    if (!hk_is_directory(old)) return -EISDIR;
    return is_empty(new) ? 0 : -ENOTEMPTY;
  }
  return hk_is_directory(old) ? -ENOTDIR : 0;
}

static void exchange(struct place *a, struct place *b) {
  int difference = (a->inode->kind == INODE_DIRECTORY) - (b->inode->kind == INODE_DIRECTORY);
  hk_add_entry(a->directory, a->name, a->length, b->inode);
  hk_add_entry(b->directory, b->name, b->length, a->inode);
  add_parent_link(a->directory, -difference);
  add_parent_link(b->directory, difference);
}

/* Checks the names of a rename in Linux's order: 0 or -errno. */
static long may_rename(const struct place *from, const struct place *to, long flags) {
  if (from->dots || !from->directory) return -EBUSY;
  if (to->dots || !to->directory) return flags & RENAME_NOREPLACE ? -EEXIST : -EBUSY;
  if (!from->inode) return -ENOENT;
  if ((flags & RENAME_NOREPLACE) && to->inode) return -EEXIST;
  if ((flags & RENAME_EXCHANGE) && !to->inode) return -ENOENT;
  if ((flags & RENAME_EXCHANGE) && to->trailing_slash && !hk_is_directory(to->inode)) return -ENOTDIR;
  if ((from->trailing_slash || (to->trailing_slash && !(flags & RENAME_EXCHANGE))) && !hk_is_directory(from->inode)) return -ENOTDIR;
  if (is_inside(to->directory, from->inode)) return -EINVAL;
  if (to->inode && is_inside(from->directory, to->inode)) return flags & RENAME_EXCHANGE ? -EINVAL : -ENOTEMPTY;
  return 0;
}

long hk_rename(long old_directory, const char *old_path, long new_directory, const char *new_path, long flags) {
  struct place from, to;
  long error;
  flags = hk_flags(flags, RENAME_NOREPLACE | RENAME_EXCHANGE);
  if (flags < 0 || flags == (RENAME_NOREPLACE | RENAME_EXCHANGE)) return -EINVAL;
  error = hk_walk(old_directory, old_path, WALK_LAST, &from);
  if (error < 0 && !from.is_missing) return error;
  error = hk_walk(new_directory, new_path, WALK_CREATE | WALK_LAST, &to);
  if (error < 0) return error;
  error = may_rename(&from, &to, flags);
  if (error < 0) return error;
  if (from.inode == to.inode) return 0;
  error = may_remove(from.directory, from.inode);
  if (error == 0) error = to.inode ? may_remove(to.directory, to.inode) : may_change(to.directory);
  if (error < 0) return error;
  if (flags & RENAME_EXCHANGE) {
    exchange(&from, &to);
  } else {
    if (to.inode) {
      error = may_replace(from.inode, to.inode);
      if (error < 0) return error;
      to.inode->opens++;
      remove_name(to.directory, to.name, to.length, 0);
    }
    hk_remove_entry(hk_known_entry(from.directory, from.name, from.length));
    hk_add_entry(to.directory, to.name, to.length, from.inode);
    if (from.inode->kind == INODE_DIRECTORY) {
      add_parent_link(from.directory, -1);
      add_parent_link(to.directory, 1);
    }
  }
  hk_stat_of(from.inode)->st_ctim = hk_now();
  hk_touch(from.directory);
  hk_touch(to.directory);
  hk_tell_move(&from, &to);
  if (to.inode && !(flags & RENAME_EXCHANGE)) {
    to.inode->opens--;
    hk_release(to.inode);
  }
  return 0;
}

long hk_link(long old_directory, const char *old_path, long new_directory, const char *new_path, long flags) {
  struct place from, to;
  int walk;
  long error;
  flags = hk_flags(flags, AT_SYMLINK_FOLLOW | AT_EMPTY_PATH);
  if (flags < 0) return -EINVAL;
  walk = (flags & AT_SYMLINK_FOLLOW ? WALK_FOLLOW : 0) | (flags & AT_EMPTY_PATH ? WALK_EMPTY : 0);
  error = hk_walk(old_directory, old_path, walk, &from);
  if (error < 0) return error;
  error = find_free(new_directory, new_path, &to, 0);
  if (error < 0) return error;
  /* Links in /proc lie on no disk, and neither does what some of them lead to. */
  if (from.alias >= 0 && !(flags & AT_SYMLINK_FOLLOW)) return -EXDEV;
  if (from.inode->seals || (from.inode->operations->is_shared && hk_stat_of(from.inode)->st_dev == PIPES)) return -EXDEV;
  if (hk_is_directory(from.inode)) return -EPERM;
  if (from.inode->kind == INODE_REGULAR && hk_stat_of(from.inode)->st_nlink == 0 && !from.inode->may_get_name) return -ENOENT;
  from.inode->may_get_name = 0;
  hk_add_entry(to.directory, to.name, to.length, from.inode);
  hk_stat_of(from.inode)->st_nlink++;
  hk_stat_of(from.inode)->st_ctim = hk_now();
  hk_touch(to.directory);
  hk_tell_fewer_links(from.inode); /* their number changed */
  hk_tell_name(to.directory, to.name, to.length, from.inode, NOTE_CREATE);
  return 0;
}

long hk_symlink(const char *target, long directory, const char *path) {
  struct place place;
  struct inode *inode;
  unsigned long length;
  long error;
  if (hk_bad(target)) return -EFAULT;
  homi_concretize_string(target);
  length = strlen(target);
  if (length == 0) return -ENOENT;
  if (length >= PATH_LIMIT) return -ENAMETOOLONG;
  error = find_free(directory, path, &place, 0);
  if (error < 0) return error;
  inode = hk_new_inode(&hk_link_file, S_IFLNK | 0777);
  inode->target = malloc(length + 1);
  memcpy(inode->target, target, length + 1);
  inode->stat->st_size = (int64_t)length;
  hk_add_entry(place.directory, place.name, place.length, inode);
  hk_touch(place.directory);
  hk_tell_name(place.directory, place.name, place.length, inode, NOTE_CREATE);
  return 0;
}

/* A symbolic file that is a link points to its own name with ".lnk", which is what a replay makes. */
static long read_symbolic_link(const struct place *place, char *buffer, long n) {
  char text[NAME_LIMIT + 5];
  long length = place->length + 4;
  if (!hk_decide((place->inode->stat->st_mode & S_IFMT) == S_IFLNK)) return -EINVAL;
  memcpy(text, place->name, place->length);
  memcpy(text + place->length, ".lnk", 4);
  length = (long)hk_at_most((uint64_t)n, (uint64_t)length);
  memcpy(buffer, text, (unsigned long)length);
  return length;
}

/* /proc/self/fd/N and its like are links to what the descriptor is: a path, what it was before the last name went, or a kind. */
static long read_alias(int alias, char *buffer, long n) {
  struct inode *inode = hk_file(alias)->inode;
  const char *text = inode->operations->link ? inode->operations->link : "/unknown";
  char path[PATH_LIMIT];
  if (hk_path_of_file(inode, path, sizeof path)) text = path;
  else if (inode->target && inode->kind != INODE_LINK) text = inode->target;
  n = (long)hk_at_most((uint64_t)n, strlen(text));
  memcpy(buffer, text, (unsigned long)n);
  return n;
}

long hk_readlink(long directory, const char *path, char *buffer, long n) {
  struct place place;
  long length, error;
  n = (int)n;
  if (hk_decide(n <= 0)) return -EINVAL;
  error = hk_walk(directory, path, WALK_EMPTY, &place);
  if (error < 0) return error;
  if (place.alias >= 0) return read_alias(place.alias, buffer, n);
  if (path[0] == 0 && place.inode->kind != INODE_LINK) return -ENOENT;
  if (place.inode->kind == INODE_SYMBOLIC) return read_symbolic_link(&place, buffer, n);
  if (place.inode->kind != INODE_LINK) return -EINVAL;
  if (!place.inode->target) {
    char text[PATH_LIMIT];
    length = homi_host_readlink(place.inode->host_path, text, sizeof text);
    if (length < 0) return length;
    length = (long)hk_at_most((uint64_t)n, (uint64_t)length);
    memcpy(buffer, text, (unsigned long)length);
    return length;
  }
  length = (long)hk_at_most((uint64_t)n, strlen(place.inode->target));
  memcpy(buffer, place.inode->target, (unsigned long)length);
  return length;
}
